package main

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v4"
)

// Text of an instant, in seconds.
type instant struct{ time.Time }

func (instant instant) MarshalJSON() ([]byte, error) {
	return appendInstant(nil, instant.Time), nil
}

func appendInstant(body []byte, instant time.Time) []byte {
	body = append(body, '"')
	body = instant.UTC().AppendFormat(body, "2006-01-02T15:04:05")
	return append(body, `+00:00"`...)
}

func marshal(value interface{}) ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(body.Bytes(), []byte("\n")), err
}

// Each row of a statement.
func each(context context.Context, text string, parameters []interface{}, take func(rows pgx.Rows) error) error {
	rows, err := pool.Query(context, text, parameters...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := take(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

type report struct {
	Action                   string   `json:"action"`
	Date                     instant  `json:"date"`
	Uri                      string   `json:"uri"`
	Directive                string   `json:"directive"`
	BlockedUri               string   `json:"blockedUri"`
	Raw                      *string  `json:"raw"`
	Count                    int64    `json:"count"`
	Browser                  string   `json:"browser"`
	Platform                 string   `json:"platform"`
	GeneratedDomain          *int32   `json:"generatedDomain"`
	IndicatorOfCompromise    *int32   `json:"indicatorOfCompromise"`
	RecentlyRegisteredDomain *int32   `json:"recentlyRegisteredDomain"`
	LowReputationDomain      *int32   `json:"lowReputationDomain"`
	PolicyIocHosts           []string `json:"policyIocHosts"`
	PolicyConcernHosts       []string `json:"policyConcernHosts"`
	Suspicious               *int32   `json:"suspicious"`
}

func reportsAsJson(context context.Context, text string, parameters []interface{}) ([]byte, error) {
	list := struct {
		Reports   []report `json:"reports"`
		Truncated bool     `json:"truncated"`
	}{Reports: []report{}}
	err := each(context, text, parameters, func(rows pgx.Rows) error {
		var one report
		err := rows.Scan(nil, nil, &one.Action, &one.Date.Time, &one.Uri, &one.Directive, &one.BlockedUri, &one.Raw,
			&one.Count, &one.Browser, &one.Platform, &one.GeneratedDomain, &one.IndicatorOfCompromise,
			&one.RecentlyRegisteredDomain, &one.LowReputationDomain, &one.PolicyIocHosts, &one.PolicyConcernHosts,
			&one.Suspicious)
		list.Reports = append(list.Reports, one)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(list.Reports) > most {
		list.Reports, list.Truncated = list.Reports[:most], true
	}
	return marshal(list)
}

type finding struct {
	Uri       string  `json:"uri"`
	Count     int64   `json:"count"`
	FirstSeen instant `json:"firstSeen"`
	LastSeen  instant `json:"lastSeen"`
	Source    string  `json:"source"`
}

func findingsAsJson(context context.Context, parameters []interface{}) ([]byte, error) {
	list := struct {
		Findings []finding `json:"findings"`
	}{}
	err := each(context, statements["findings"], parameters, func(rows pgx.Rows) error {
		var one finding
		err := rows.Scan(nil, nil, &one.Uri, &one.Count, &one.FirstSeen.Time, &one.LastSeen.Time, &one.Source, nil)
		list.Findings = append(list.Findings, one)
		return err
	})
	if err != nil {
		return nil, err
	}
	return marshal(list)
}

type watch struct {
	Site               string  `json:"site"`
	EmailAlertsEnabled bool    `json:"emailAlertsEnabled"`
	WebhookEnabled     bool    `json:"webhookEnabled"`
	WebhookTarget      *string `json:"webhookTarget"`
	AlertThreshold     int64   `json:"alertThreshold"`
}

func watchesAsJson(context context.Context, caller *holder, product string) ([]byte, error) {
	list := struct {
		Watches []watch `json:"watches"`
	}{Watches: []watch{}}
	parameters := []interface{}{"{" + caller.account + "}"}
	err := each(context, statements["watches"], parameters, func(rows pgx.Rows) error {
		var one watch
		var its string
		err := rows.Scan(nil, nil, &its, &one.Site, nil, &one.EmailAlertsEnabled, &one.WebhookEnabled, &one.WebhookTarget,
			&one.AlertThreshold)
		if its == product {
			list.Watches = append(list.Watches, one)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return marshal(list)
}

type directive struct {
	name  string
	total int64
}

// An object in the order of its rows, which a map would not keep.
type directives []directive

func (all directives) MarshalJSON() ([]byte, error) {
	body := []byte{'{'}
	for index, one := range all {
		body = append(body, comma(index > 0)...)
		body = appendText(body, []byte(one.name))
		body = append(body, ':')
		body = appendInteger(body, one.total)
	}
	return append(body, '}'), nil
}

type period struct {
	Date       string     `json:"date"`
	Total      int64      `json:"total"`
	Directives directives `json:"directives"`
}

func graphAsJson(context context.Context, caller *holder, from, today time.Time, months int) ([]byte, error) {
	days := map[time.Time]directives{}
	parameters := []interface{}{caller.account, "csp", from, today}
	err := each(context, statements["graph"], parameters, func(rows pgx.Rows) error {
		var date time.Time
		var one directive
		err := rows.Scan(nil, &date, &one.name, &one.total)
		days[date] = append(days[date], one)
		return err
	})
	if err != nil {
		return nil, err
	}
	periods := []period{}
	for date := from; !date.After(today); date = date.Add(day) {
		one := period{Date: dayText(date), Directives: directives{}}
		unknown := int64(0)
		for _, its := range days[date] {
			one.Total += its.total
			if its.name == "" || its.name == "unknown" {
				unknown += its.total
			} else {
				one.Directives = append(one.Directives, its)
			}
		}
		one.Directives = append(one.Directives, directive{"unknown", unknown})
		periods = append(periods, one)
	}
	return marshal(struct {
		Type    string   `json:"type"`
		Unit    string   `json:"unit"`
		Amount  int      `json:"amount"`
		Periods []period `json:"periods"`
	}{"csp", "months", months, periods})
}

type event struct {
	Timestamp     instant `json:"timestamp"`
	Event         string  `json:"event"`
	Message       string  `json:"message"`
	LoggedById    *string `json:"loggedById"`
	LoggedByEmail *string `json:"loggedByEmail"`
	RequestIp     *string `json:"requestIp"`
	id            string
}

func auditAsJson(context context.Context, caller *holder, size int) ([]byte, error) {
	list := struct {
		Events     []event `json:"events"`
		NextCursor *string `json:"nextCursor"`
		Truncated  bool    `json:"truncated"`
	}{Events: []event{}}
	parameters := []interface{}{caller.account, size + 1}
	err := each(context, statements["audit"], parameters, func(rows pgx.Rows) error {
		var one event
		err := rows.Scan(nil, &one.id, &one.Timestamp.Time, &one.Event, &one.Message, &one.LoggedById, &one.LoggedByEmail,
			&one.RequestIp)
		list.Events = append(list.Events, one)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(list.Events) > size {
		last := list.Events[size-1]
		cursor := cursorBehind(caller.account, last.Timestamp.Time, last.id)
		list.Events, list.NextCursor, list.Truncated = list.Events[:size], &cursor, true
	}
	return marshal(list)
}
