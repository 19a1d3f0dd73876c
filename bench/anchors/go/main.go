// The yardstick's routes as one would write them in Go: net/http and pgx, with the same statements and bodies. Each list
// is written in two ways: scanned into structs for encoding/json, or from the bytes of its rows by hand.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v4/pgxpool"
)

var (
	pool *pgxpool.Pool
	// The texts of the service's statements, by route; of lists of reports by the filters of each.
	statements map[string]string
	byHand     bool
)

const (
	most        = 1000
	keyLifetime = 5 * time.Second
	limit       = 1_000_000_000
	window      = 60
	trial       = 30 * 24 * time.Hour
)

// The arguments: the address of the database, the port, and "json" or "rows".
func main() {
	config, err := pgxpool.ParseConfig(os.Args[1])
	must(err)
	config.MaxConns = 4
	for name, value := range map[string]string{
		"TimeZone": "UTC", "role": "sightline_reader", "statement_timeout": "60000", "plan_cache_mode": "force_custom_plan",
	} {
		config.ConnConfig.RuntimeParams[name] = value
	}
	must(json.Unmarshal([]byte(os.Getenv("STATEMENTS")), &statements))
	byHand = os.Args[3] == "rows"
	pool, err = pgxpool.ConnectConfig(context.Background(), config)
	must(err)
	must(http.ListenAndServe("127.0.0.1:"+os.Args[2], http.HandlerFunc(answer)))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

type route = func(context context.Context, caller *holder, path []string, query url.Values) ([]byte, error)

var routes = map[string]route{
	"me": me, "plan": plan, "last-seven-days": week, "graphs": graph, "reports": reports, "watches": watches, "audit-log": audit,
}

func answer(response http.ResponseWriter, request *http.Request) {
	caller, err := find(request.Context(), request.Header.Get("Authorization"))
	if err != nil {
		send(response, 401, []byte(`{"error":"Unauthorized"}`))
		return
	}
	count(caller.keyId, response.Header())
	if !caller.mayAsk() {
		send(response, 403, []byte(`{"error":"API access requires a Business plan or higher"}`))
		return
	}
	path := strings.Split(strings.TrimPrefix(request.URL.Path, "/v1/"), "/")
	route, isKnown := routes[path[0]]
	if !isKnown {
		send(response, 404, []byte(`{"error":"Not found"}`))
		return
	}
	body, err := route(request.Context(), caller, path[1:], request.URL.Query())
	if err != nil {
		send(response, 400, []byte(`{"error":"Bad request"}`))
		return
	}
	send(response, 200, body)
}

func send(response http.ResponseWriter, status int, body []byte) {
	header := response.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	response.WriteHeader(status)
	response.Write(body)
}

// A caller, as a key's look-up found it.
type holder struct {
	keyId, account, kind                         string
	email, team, plan, planName, tier, status    *string
	created                                      time.Time
	reportQuota, collectHosts, dataRetentionDays *int64
	features                                     *features
	until                                        time.Time
}

type features struct {
	Support                json.RawMessage `json:"support"`
	Teams                  json.RawMessage `json:"teams"`
	BlockedWatch           json.RawMessage `json:"blockedWatch"`
	Webhooks               json.RawMessage `json:"webhooks"`
	ClientReputationFilter json.RawMessage `json:"clientReputationFilter"`
	ThreatIntelligence     json.RawMessage `json:"threatIntelligence"`
	IntegrityFeatures      json.RawMessage `json:"integrityFeatures"`
	PciDss                 json.RawMessage `json:"pciDss"`
	WildcardDomains        json.RawMessage `json:"wildcardDomains"`
}

func (caller *holder) counts() bool {
	return caller.status != nil && (*caller.status == "active" || *caller.status == "past_due")
}

func (caller *holder) mayAsk() bool {
	if caller.counts() && (*caller.tier == "business" || *caller.tier == "enterprise") {
		return true
	}
	return time.Now().Before(caller.created.Add(trial))
}

var known sync.Map

// A key that was looked up is good for five seconds.
func find(context context.Context, authorization string) (*holder, error) {
	token := strings.TrimPrefix(authorization, "Bearer ")
	now := time.Now()
	if found, isKnown := known.Load(token); isKnown && now.Before(found.(*holder).until) {
		return found.(*holder), nil
	}
	digest := sha256.Sum256([]byte(token))
	caller := &holder{until: now.Add(keyLifetime)}
	var text, keyAccount string
	var endsAt *float64
	var isChanging bool
	var version int64
	err := pool.QueryRow(context, statements["key"], `{"\\x`+hex.EncodeToString(digest[:])+`"}`, now).Scan(
		&caller.keyId, &text, &keyAccount, &endsAt, &isChanging, &caller.account, &caller.kind, &caller.email, &caller.team,
		&caller.created, &version, &caller.plan, &caller.planName, &caller.tier, &caller.status, &caller.reportQuota,
		&caller.collectHosts, &caller.dataRetentionDays, &caller.features,
	)
	if err == nil {
		known.Store(token, caller)
	}
	return caller, err
}

type budget struct {
	left int
	ends time.Time
}

var (
	budgets     = map[string]*budget{}
	budgetsLock sync.Mutex
)

// The headers of the rate limit; it is never reached here.
func count(keyId string, header http.Header) {
	now := time.Now()
	budgetsLock.Lock()
	own := budgets[keyId]
	if own == nil || now.After(own.ends) {
		own = &budget{limit, now.Add(window * time.Second)}
		budgets[keyId] = own
	}
	own.left--
	left, ends := own.left, own.ends
	budgetsLock.Unlock()
	seconds := (ends.Sub(now) + time.Second - 1) / time.Second
	header.Set("RateLimit-Policy", fmt.Sprintf(`"default";q=%d;w=%d`, limit, window))
	header.Set("RateLimit", fmt.Sprintf(`"default";r=%d;t=%d`, left, seconds))
}

func me(_ context.Context, caller *holder, _ []string, _ url.Values) ([]byte, error) {
	if caller.kind == "personal" {
		return json.Marshal(struct {
			Type  string  `json:"type"`
			Email *string `json:"email"`
		}{caller.kind, caller.email})
	}
	return json.Marshal(struct {
		Type     string  `json:"type"`
		TeamId   string  `json:"teamId"`
		TeamName *string `json:"teamName"`
	}{caller.kind, caller.account, caller.team})
}

func plan(_ context.Context, caller *holder, _ []string, _ url.Values) ([]byte, error) {
	return json.Marshal(struct {
		Plan              *string   `json:"plan"`
		Name              *string   `json:"name"`
		Status            *string   `json:"status"`
		ReportQuota       *int64    `json:"reportQuota"`
		CollectHosts      *int64    `json:"collectHosts"`
		DataRetentionDays *int64    `json:"dataRetentionDays"`
		Features          *features `json:"features"`
	}{caller.plan, caller.planName, caller.status, caller.reportQuota, caller.collectHosts, caller.dataRetentionDays, caller.features})
}

const day = 24 * time.Hour

var reportTypes []string

func init() {
	reportTypes = strings.Split(os.Getenv("REPORT_TYPES"), ",")
}

// The days of a week are few: one way is enough.
func week(context context.Context, caller *holder, _ []string, _ url.Values) ([]byte, error) {
	today := time.Now().UTC().Truncate(day)
	from := today.Add(-6 * day)
	totals := map[string]int64{}
	rows, err := pool.Query(context, statements["week"], "{"+caller.account+"}", dayText(from), dayText(today))
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var account, kind string
		var date time.Time
		var total int64
		if err := rows.Scan(&account, &kind, &date, &total); err != nil {
			return nil, err
		}
		totals[dayText(date)+kind] = total
	}
	body := []byte(`{"days":[`)
	for date := from; !date.After(today); date = date.Add(day) {
		text := dayText(date)
		body = append(body, comma(date.After(from))...)
		body = append(body, `{"date":"`+text+`"`...)
		for _, kind := range reportTypes {
			body = append(body, `,"`+kind+`":`...)
			body = strconv.AppendInt(body, totals[text+kind], 10)
		}
		body = append(body, '}')
	}
	return append(body, "]}"...), rows.Err()
}

func comma(isWanted bool) string {
	if isWanted {
		return ","
	}
	return ""
}

func dayText(date time.Time) string {
	return date.Format("2006-01-02")
}

// In months alone: the one that is measured.
func graph(context context.Context, caller *holder, path []string, _ url.Values) ([]byte, error) {
	if len(path) != 3 || path[0] != "csp" || path[1] != "months" || !caller.counts() || *caller.tier == "free" {
		return nil, http.ErrNotSupported
	}
	months, err := strconv.Atoi(path[2])
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	first := time.Date(now.Year(), now.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	length := first.AddDate(0, 1, -1).Day()
	if length > now.Day() {
		length = now.Day()
	}
	from := first.AddDate(0, 0, length)
	today := now.Truncate(day)
	if byHand {
		return graphByHand(context, caller, from, today, months)
	}
	return graphAsJson(context, caller, from, today, months)
}

// Lists of reports of one day or month: the units that are measured.
func reports(context context.Context, caller *holder, path []string, query url.Values) ([]byte, error) {
	if len(path) != 1 || path[0] != "csp" {
		return nil, http.ErrNotSupported
	}
	layout, end := "2006-01-02", func(start time.Time) time.Time { return start.Add(day) }
	if query.Get("unit") == "months" {
		layout, end = "2006-01", func(start time.Time) time.Time { return start.AddDate(0, 1, 0) }
	}
	start, err := time.Parse(layout, query.Get("date"))
	if err != nil {
		return nil, err
	}
	until := end(start)
	if oldest := time.Now().UTC().Truncate(day).Add(-time.Duration(*caller.dataRetentionDays) * day); start.Before(oldest) {
		start = oldest
	}
	parameters := []interface{}{caller.account, path[0], start, until}
	name := "reports"
	if action := query.Get("action"); action != "" {
		name = "filtered"
		parameters = append(parameters, action, reversed(query.Get("hostnames")), query.Get("effectiveDirective"))
	}
	if byHand {
		return reportsByHand(context, statements[name], parameters)
	}
	return reportsAsJson(context, statements[name], parameters)
}

func reversed(text string) string {
	bytes := []byte(text)
	for i, j := 0, len(bytes)-1; i < j; i, j = i+1, j-1 {
		bytes[i], bytes[j] = bytes[j], bytes[i]
	}
	return string(bytes)
}

func watches(context context.Context, caller *holder, path []string, _ url.Values) ([]byte, error) {
	product := path[0]
	if len(path) == 2 {
		parameters := []interface{}{caller.account, product, strings.ToLower(path[1])}
		if byHand {
			return findingsByHand(context, parameters)
		}
		return findingsAsJson(context, parameters)
	}
	if byHand {
		return watchesByHand(context, caller, product)
	}
	return watchesAsJson(context, caller, product)
}

func audit(context context.Context, caller *holder, _ []string, query url.Values) ([]byte, error) {
	size, err := strconv.Atoi(query.Get("limit"))
	if err != nil || size < 1 || size > most || query.Has("cursor") {
		return nil, http.ErrNotSupported
	}
	if byHand {
		return auditByHand(context, caller, size)
	}
	return auditAsJson(context, caller, size)
}

func cursorBehind(account string, timestamp time.Time, id string) string {
	text := timestamp.UTC().Format("2006-01-02 15:04:05.999999") + "+00"
	asked, _ := json.Marshal([]string{account, text, id})
	mark := sha256.Sum256(asked)
	parts, _ := json.Marshal([]string{"1", base64.RawURLEncoding.EncodeToString(mark[:])[:12], text, id})
	return base64.RawURLEncoding.EncodeToString(parts)
}
