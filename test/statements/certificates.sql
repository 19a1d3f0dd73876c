-- /v1/certificate-transparency/cert/:sha256: $1 = "acme",
-- $2 = "ee4f9a881bfb3c99aab70672ec36513a199c2a76fff3857ae6901e7973458781",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "2026-05-22T14:30:00.000Z"
-- Account.certificate: $1 = "acme",
-- $2 = "0000000000000000000000000000000000000000000000000000000000000000",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "2026-05-22T14:30:00.000Z"
select observed.account_id, c.pem
from certificate c
cross
join lateral (
select r.account_id
from report r
where r.account_id = $1
and r.type = 'certificate_transparency'
and r.sha256 = c.sha256
and r.date >= $3
and r.date < $4
limit 1
) observed
where c.sha256 = $2
