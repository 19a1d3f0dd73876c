package main

import (
	"context"
	"encoding/binary"
	"strconv"
	"time"

	"github.com/jackc/pgx/v4"
)

// Values in PostgreSQL's binary form, made into JSON without a value between.

var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

const hexadecimal = "0123456789abcdef"

func appendText(body, text []byte) []byte {
	body = append(body, '"')
	from := 0
	for at := 0; at < len(text); at++ {
		character := text[at]
		if character >= ' ' && character != '"' && character != '\\' {
			continue
		}
		body = append(body, text[from:at]...)
		from = at + 1
		switch character {
		case '"', '\\':
			body = append(body, '\\', character)
		case '\n':
			body = append(body, `\n`...)
		case '\r':
			body = append(body, `\r`...)
		case '\t':
			body = append(body, `\t`...)
		case '\b':
			body = append(body, `\b`...)
		case '\f':
			body = append(body, `\f`...)
		default:
			body = append(body, `\u00`...)
			body = append(body, hexadecimal[character>>4], hexadecimal[character&15])
		}
	}
	return append(append(body, text[from:]...), '"')
}

func appendNullable(body, text []byte) []byte {
	if text == nil {
		return append(body, "null"...)
	}
	return appendText(body, text)
}

func integer(value []byte) int64 {
	switch len(value) {
	case 2:
		return int64(int16(binary.BigEndian.Uint16(value)))
	case 4:
		return int64(int32(binary.BigEndian.Uint32(value)))
	default:
		return int64(binary.BigEndian.Uint64(value))
	}
}

func appendInteger(body []byte, value int64) []byte {
	return strconv.AppendInt(body, value, 10)
}

func appendIntegerOrNull(body, value []byte) []byte {
	if value == nil {
		return append(body, "null"...)
	}
	return appendInteger(body, integer(value))
}

func appendBoolean(body, value []byte) []byte {
	return strconv.AppendBool(body, value[0] == 1)
}

func instantOf(value []byte) time.Time {
	microseconds := integer(value)
	return time.Unix(epoch.Unix()+microseconds/1e6, microseconds%1e6*1e3)
}

// A text[]: the number of dimensions, a flag, a type, a length and a bound, and then each text behind its length.
func appendTexts(body, value []byte) []byte {
	body = append(body, '[')
	if len(value) > 12 {
		for index, rest := 0, value[20:]; len(rest) > 0; index++ {
			length := binary.BigEndian.Uint32(rest)
			body = append(body, comma(index > 0)...)
			body = appendText(body, rest[4:4+length])
			rest = rest[4+length:]
		}
	}
	return append(body, ']')
}

type field struct {
	name   string
	column int
	append func(body, value []byte) []byte
}

func appendRow(body []byte, fields []field, values [][]byte) []byte {
	for index, field := range fields {
		body = append(body, "{,"[min(index, 1)])
		body = append(body, field.name...)
		body = field.append(body, values[field.column])
	}
	return append(body, '}')
}

func min(one, other int) int {
	if one < other {
		return one
	}
	return other
}

func appendInstantOf(body, value []byte) []byte {
	return appendInstant(body, instantOf(value))
}

var reportFields = []field{
	{`"action":`, 2, appendText}, {`"date":`, 3, appendInstantOf}, {`"uri":`, 4, appendText},
	{`"directive":`, 5, appendText}, {`"blockedUri":`, 6, appendText}, {`"raw":`, 7, appendNullable},
	{`"count":`, 8, appendIntegerOrNull}, {`"browser":`, 9, appendText}, {`"platform":`, 10, appendText},
	{`"generatedDomain":`, 11, appendIntegerOrNull}, {`"indicatorOfCompromise":`, 12, appendIntegerOrNull},
	{`"recentlyRegisteredDomain":`, 13, appendIntegerOrNull}, {`"lowReputationDomain":`, 14, appendIntegerOrNull},
	{`"policyIocHosts":`, 15, appendTexts}, {`"policyConcernHosts":`, 16, appendTexts},
	{`"suspicious":`, 17, appendIntegerOrNull},
}

func reportsByHand(context context.Context, text string, parameters []interface{}) ([]byte, error) {
	body := append(make([]byte, 0, 16*1024), `{"reports":[`...)
	number := 0
	err := each(context, text, parameters, func(rows pgx.Rows) error {
		if number < most {
			body = append(body, comma(number > 0)...)
			body = appendRow(body, reportFields, rows.RawValues())
		}
		number++
		return nil
	})
	body = append(body, `],"truncated":`...)
	body = strconv.AppendBool(body, number > most)
	return append(body, '}'), err
}

var findingFields = []field{
	{`"uri":`, 2, appendText}, {`"count":`, 3, appendIntegerOrNull}, {`"firstSeen":`, 4, appendInstantOf},
	{`"lastSeen":`, 5, appendInstantOf}, {`"source":`, 6, appendText},
}

func findingsByHand(context context.Context, parameters []interface{}) ([]byte, error) {
	body := append(make([]byte, 0, 16*1024), `{"findings":[`...)
	number := 0
	err := each(context, statements["findings"], parameters, func(rows pgx.Rows) error {
		body = append(body, comma(number > 0)...)
		body = appendRow(body, findingFields, rows.RawValues())
		number++
		return nil
	})
	return append(body, "]}"...), err
}

var watchFields = []field{
	{`"site":`, 3, appendText}, {`"emailAlertsEnabled":`, 5, appendBoolean}, {`"webhookEnabled":`, 6, appendBoolean},
	{`"webhookTarget":`, 7, appendNullable}, {`"alertThreshold":`, 8, appendIntegerOrNull},
}

func watchesByHand(context context.Context, caller *holder, product string) ([]byte, error) {
	body := append(make([]byte, 0, 4*1024), `{"watches":[`...)
	number := 0
	err := each(context, statements["watches"], []interface{}{"{" + caller.account + "}"}, func(rows pgx.Rows) error {
		values := rows.RawValues()
		if string(values[2]) == product {
			body = append(body, comma(number > 0)...)
			body = appendRow(body, watchFields, values)
			number++
		}
		return nil
	})
	return append(body, "]}"...), err
}

// The rows come by day and directive.
func graphByHand(context context.Context, caller *holder, from, today time.Time, months int) ([]byte, error) {
	body := append(make([]byte, 0, 128*1024), `{"type":"csp","unit":"months","amount":`...)
	body = appendInteger(body, int64(months))
	body = append(body, `,"periods":[`...)
	first := int64(from.Sub(epoch) / day)
	last := int64(today.Sub(epoch) / day)
	date := first - 1
	var total, unknown int64
	var its []byte
	closeDay := func() {
		if date < first {
			return
		}
		body = append(body, comma(date > first)...)
		body = append(body, `{"date":"`...)
		body = epoch.AddDate(0, 0, int(date)).AppendFormat(body, "2006-01-02")
		body = append(body, `","total":`...)
		body = appendInteger(body, total)
		body = append(body, `,"directives":{`...)
		body = append(append(body, its...), `"unknown":`...)
		body = append(appendInteger(body, unknown), "}}"...)
		total, unknown, its = 0, 0, its[:0]
	}
	goTo := func(next int64) {
		for ; date < next; date++ {
			closeDay()
		}
	}
	err := each(context, statements["graph"], []interface{}{caller.account, "csp", from, today}, func(rows pgx.Rows) error {
		values := rows.RawValues()
		goTo(integer(values[1]))
		amount := integer(values[3])
		total += amount
		if name := string(values[2]); name == "" || name == "unknown" {
			unknown += amount
		} else {
			its = append(appendText(its, values[2]), ':')
			its = append(appendInteger(its, amount), ',')
		}
		return nil
	})
	goTo(last + 1)
	return append(body, "]}"...), err
}

var eventFields = []field{
	{`"timestamp":`, 2, appendInstantOf}, {`"event":`, 3, appendText}, {`"message":`, 4, appendText},
	{`"loggedById":`, 5, appendNullable}, {`"loggedByEmail":`, 6, appendNullable}, {`"requestIp":`, 7, appendNullable},
}

func auditByHand(context context.Context, caller *holder, size int) ([]byte, error) {
	body := append(make([]byte, 0, 256*1024), `{"events":[`...)
	number := 0
	var lastTime time.Time
	var lastId string
	err := each(context, statements["audit"], []interface{}{caller.account, size + 1}, func(rows pgx.Rows) error {
		values := rows.RawValues()
		if number < size {
			body = append(body, comma(number > 0)...)
			body = appendRow(body, eventFields, values)
			lastTime, lastId = instantOf(values[2]), string(values[1])
		}
		number++
		return nil
	})
	body = append(body, `],"nextCursor":`...)
	if number > size {
		body = appendText(body, []byte(cursorBehind(caller.account, lastTime, lastId)))
		return append(body, `,"truncated":true}`...), err
	}
	return append(body, `null,"truncated":false}`...), err
}
