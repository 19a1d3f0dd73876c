-- /v1/certificate-transparency/cert/:sha256: $1 = "acme",
-- $2 = "ee4f9a881bfb3c99aab70672ec36513a199c2a76fff3857ae6901e7973458781",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "2026-05-22T14:30:00.000Z"
select account_id
from report
where account_id = $1
and type = 'certificate_transparency'
and sha256 = $2
and date >= $3
and date < $4
limit 1

-- /v1/certificate-transparency/cert/:sha256: $1 = "ee4f9a881bfb3c99aab70672ec36513a199c2a76fff3857ae6901e7973458781"
-- Account.certificate: $1 = "0000000000000000000000000000000000000000000000000000000000000000"
select pem
from certificate
where sha256 = $1
