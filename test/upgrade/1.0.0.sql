create table report_y2026m05 (like report including defaults);
alter table report attach partition report_y2026m05 FOR VALUES FROM ('2026-05-01 00:00:00+00') TO ('2026-06-01 00:00:00+00');

insert into account (id, type, email, team_name, quota_limit, require_2fa, members, created_at, version) values
  ('u-1', 'personal', 'u-1@example.com', NULL, NULL, NULL, NULL, '2020-01-01 00:00:00+00', '1795329142970108'),
  ('u-2', 'team', NULL, 'Team u-2', '500000', 'true', '[{"role": "owner", "email": "u-2@example.com"}]', '2020-01-01 00:00:00+00', '1795329142970108');

insert into audit_event (account_id, id, timestamp, event, message, logged_by_id, logged_by_email, request_ip) values
  ('u-1', 'event-1', '2026-05-20 14:30:00+00', 'loginSucceeded', 'Event event-1', 'user-1', 'ada@example.com', '192.0.2.1'),
  ('u-2', 'event-1', '2026-05-20 14:30:00+00', 'loginSucceeded', 'Event event-1', 'user-1', 'ada@example.com', '192.0.2.1');

insert into certificate (sha256, pem) values
  ('ee4f9a881bfb3c99aab70672ec36513a199c2a76fff3857ae6901e7973458781', '-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIUNwPU/rRUJnnrfq3fEyHaOKuVxJgwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPd3d3LmV4YW1wbGUuY29tMB4XDTI2MTEyMDEyMDc1NVoXDTM2
MTExNzEyMDc1NVowGjEYMBYGA1UEAwwPd3d3LmV4YW1wbGUuY29tMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEtriZ7hfX+EZfytgQ0bNU7cKaTtHXmvlI4ex+pCV1
ZiwDlNMV9jNBV2rQcN4hX54rj0CwJEe3juABDvxINcDScaNTMFEwHQYDVR0OBBYE
FPxUBemzmEDskt3tSCqfCdqLzQ6GMB8GA1UdIwQYMBaAFPxUBemzmEDskt3tSCqf
CdqLzQ6GMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgKT3QBD9s
1IVuqlcNYT7B3X9SuzgdoQNJBiWB6hM2XloCIQDdYSvv1N0kjIS1Z7gNBQT9yQXd
gDdFxfpuZOQwuhR1/Q==
-----END CERTIFICATE-----
');

insert into csp_policy (account_id, id, name, policy) values
  ('u-1', 'pol_own', 'Main', 'default-src ''self'''),
  ('u-2', 'pol_own', 'Main', 'default-src ''self''');

insert into daily_count (account_id, type, day, directive, total) values
  ('u-1', 'certificate_transparency', '2026-05-20', '', '2'),
  ('u-1', 'coep', '2026-05-20', '', '1'),
  ('u-1', 'coop', '2026-05-20', '', '1'),
  ('u-1', 'crash', '2026-05-20', '', '1'),
  ('u-1', 'csp', '2026-05-20', '', '1'),
  ('u-1', 'csp_integrity', '2026-05-20', '', '1'),
  ('u-1', 'deprecation', '2026-05-20', '', '1'),
  ('u-1', 'dmarc', '2026-05-20', '', '1'),
  ('u-1', 'integrity_policy', '2026-05-20', '', '1'),
  ('u-1', 'intervention', '2026-05-20', '', '1'),
  ('u-1', 'nel', '2026-05-20', '', '1'),
  ('u-1', 'permissions_policy', '2026-05-20', '', '1'),
  ('u-1', 'tls_rpt', '2026-05-20', '', '1'),
  ('u-2', 'certificate_transparency', '2026-05-20', '', '2'),
  ('u-2', 'coep', '2026-05-20', '', '1'),
  ('u-2', 'coop', '2026-05-20', '', '1'),
  ('u-2', 'crash', '2026-05-20', '', '1'),
  ('u-2', 'csp', '2026-05-20', '', '1'),
  ('u-2', 'csp_integrity', '2026-05-20', '', '1'),
  ('u-2', 'deprecation', '2026-05-20', '', '1'),
  ('u-2', 'dmarc', '2026-05-20', '', '1'),
  ('u-2', 'integrity_policy', '2026-05-20', '', '1'),
  ('u-2', 'intervention', '2026-05-20', '', '1'),
  ('u-2', 'nel', '2026-05-20', '', '1'),
  ('u-2', 'permissions_policy', '2026-05-20', '', '1'),
  ('u-2', 'tls_rpt', '2026-05-20', '', '1');

insert into plan (account_id, plan, name, tier, status, report_quota, collect_hosts, data_retention_days, features) values
  ('u-1', 'business_2026', 'Business', 'business', 'active', '500000', '25', '90', '{"teams": false, "pciDss": false, "support": false, "webhooks": false, "blockedWatch": [], "wildcardDomains": false, "integrityFeatures": [], "threatIntelligence": true, "clientReputationFilter": false}'),
  ('u-2', 'business_2026', 'Business', 'business', 'active', '500000', '25', '90', '{"teams": false, "pciDss": false, "support": false, "webhooks": false, "blockedWatch": [], "wildcardDomains": false, "integrityFeatures": [], "threatIntelligence": true, "clientReputationFilter": false}');

insert into report (account_id, type, date, id, count, raw, uri, host_reversed, path, browser, platform, action, directive, blocked_uri, blocked_host_reversed, blocked_path, subresource_uri, subresource_host_reversed, subresource_path, hash, destination, policy_id, policy, generated_domain, indicator_of_compromise, recently_registered_domain, low_reputation_domain, suspicious, policy_ioc_hosts, policy_concern_hosts, domain_reputation_score, property, disposition, nel_type, phase, organisation, message, hostnames, hosts_reversed, cert_type, issuer, sha256, sha256_spki, extra) values
  ('u-1', 'certificate_transparency', '2026-05-20 14:30:00+00', 'certificate_transparency-1', '1', 'certificate_transparency-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-1', 'certificate_transparency', '2026-05-20 14:30:00+00', 'observation', '1', 'observation', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'ee4f9a881bfb3c99aab70672ec36513a199c2a76fff3857ae6901e7973458781', NULL, NULL),
  ('u-1', 'coep', '2026-05-20 14:30:00+00', 'coep-1', '1', 'coep-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-1', 'coop', '2026-05-20 14:30:00+00', 'coop-1', '1', 'coop-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-1', 'crash', '2026-05-20 14:30:00+00', 'crash-1', '1', 'crash-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-1', 'csp', '2026-05-20 14:30:00+00', 'csp-1', '1', 'csp-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-1', 'csp_integrity', '2026-05-20 14:30:00+00', 'csp_integrity-1', '1', 'csp_integrity-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-1', 'deprecation', '2026-05-20 14:30:00+00', 'deprecation-1', '1', 'deprecation-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-1', 'dmarc', '2026-05-20 14:30:00+00', 'dmarc-1', '1', 'dmarc-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"aligned": false}'),
  ('u-1', 'integrity_policy', '2026-05-20 14:30:00+00', 'integrity_policy-1', '1', 'integrity_policy-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-1', 'intervention', '2026-05-20 14:30:00+00', 'intervention-1', '1', 'intervention-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-1', 'nel', '2026-05-20 14:30:00+00', 'nel-1', '1', 'nel-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"statusCode": 0}'),
  ('u-1', 'permissions_policy', '2026-05-20 14:30:00+00', 'permissions_policy-1', '1', 'permissions_policy-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"potential": false}'),
  ('u-1', 'tls_rpt', '2026-05-20 14:30:00+00', 'tls_rpt-1', '1', 'tls_rpt-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"failedSessions": 0, "successfulSessions": 0}'),
  ('u-2', 'certificate_transparency', '2026-05-20 14:30:00+00', 'certificate_transparency-1', '1', 'certificate_transparency-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-2', 'certificate_transparency', '2026-05-20 14:30:00+00', 'observation', '1', 'observation', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'ee4f9a881bfb3c99aab70672ec36513a199c2a76fff3857ae6901e7973458781', NULL, NULL),
  ('u-2', 'coep', '2026-05-20 14:30:00+00', 'coep-1', '1', 'coep-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-2', 'coop', '2026-05-20 14:30:00+00', 'coop-1', '1', 'coop-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-2', 'crash', '2026-05-20 14:30:00+00', 'crash-1', '1', 'crash-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-2', 'csp', '2026-05-20 14:30:00+00', 'csp-1', '1', 'csp-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-2', 'csp_integrity', '2026-05-20 14:30:00+00', 'csp_integrity-1', '1', 'csp_integrity-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-2', 'deprecation', '2026-05-20 14:30:00+00', 'deprecation-1', '1', 'deprecation-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-2', 'dmarc', '2026-05-20 14:30:00+00', 'dmarc-1', '1', 'dmarc-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"aligned": false}'),
  ('u-2', 'integrity_policy', '2026-05-20 14:30:00+00', 'integrity_policy-1', '1', 'integrity_policy-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-2', 'intervention', '2026-05-20 14:30:00+00', 'intervention-1', '1', 'intervention-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  ('u-2', 'nel', '2026-05-20 14:30:00+00', 'nel-1', '1', 'nel-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"statusCode": 0}'),
  ('u-2', 'permissions_policy', '2026-05-20 14:30:00+00', 'permissions_policy-1', '1', 'permissions_policy-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"potential": false}'),
  ('u-2', 'tls_rpt', '2026-05-20 14:30:00+00', 'tls_rpt-1', '1', 'tls_rpt-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'false', 'false', 'false', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"failedSessions": 0, "successfulSessions": 0}');

insert into report_locator (account_id, key, date) values
  ('u-1', '-1214582870889263724', '2026-05-20 14:30:00+00'),
  ('u-1', '-3249108031804621285', '2026-05-20 14:30:00+00'),
  ('u-1', '-4464136365942564547', '2026-05-20 14:30:00+00'),
  ('u-1', '-5820098316292288030', '2026-05-20 14:30:00+00'),
  ('u-1', '-7025492327685988886', '2026-05-20 14:30:00+00'),
  ('u-1', '-7427229523235712639', '2026-05-20 14:30:00+00'),
  ('u-1', '-7947304626821664875', '2026-05-20 14:30:00+00'),
  ('u-1', '1094131361214055892', '2026-05-20 14:30:00+00'),
  ('u-1', '6026028605046149343', '2026-05-20 14:30:00+00'),
  ('u-1', '6172283364852928843', '2026-05-20 14:30:00+00'),
  ('u-1', '7056457362497464415', '2026-05-20 14:30:00+00'),
  ('u-1', '7701859763647887701', '2026-05-20 14:30:00+00'),
  ('u-1', '9198362379979463826', '2026-05-20 14:30:00+00'),
  ('u-1', '930086601636409382', '2026-05-20 14:30:00+00'),
  ('u-2', '-1338042384437860160', '2026-05-20 14:30:00+00'),
  ('u-2', '-1929576716999762914', '2026-05-20 14:30:00+00'),
  ('u-2', '-3583484322065135371', '2026-05-20 14:30:00+00'),
  ('u-2', '-3604310062839868367', '2026-05-20 14:30:00+00'),
  ('u-2', '-4663606012119727723', '2026-05-20 14:30:00+00'),
  ('u-2', '-5587270969677387716', '2026-05-20 14:30:00+00'),
  ('u-2', '-8450967734256016999', '2026-05-20 14:30:00+00'),
  ('u-2', '1653336875335215818', '2026-05-20 14:30:00+00'),
  ('u-2', '1673377982001061035', '2026-05-20 14:30:00+00'),
  ('u-2', '1881865778379986569', '2026-05-20 14:30:00+00'),
  ('u-2', '2005713561521261', '2026-05-20 14:30:00+00'),
  ('u-2', '314488421780993320', '2026-05-20 14:30:00+00'),
  ('u-2', '6144276602377888826', '2026-05-20 14:30:00+00'),
  ('u-2', '6737921114729765185', '2026-05-20 14:30:00+00');

insert into setup (account_id, report_uri, reporting_api, nel, dmarc, tls_rpt) values
  ('u-1', '{"wizard": "https://collect.example/r/d/csp/wizard", "enforce": "https://collect.example/r/d/csp/enforce", "reportOnly": "https://collect.example/r/d/csp/reportOnly"}', '{"group": "default", "max_age": 31536000, "endpoints": [{"url": "https://collect.example/a/d/g"}], "include_subdomains": true}', '{"max_age": 31536000, "report_to": "default", "include_subdomains": true}', 'acme@dmarc.collect.example', 'acme@tlsrpt.collect.example'),
  ('u-2', '{"wizard": "https://collect.example/r/d/csp/wizard", "enforce": "https://collect.example/r/d/csp/enforce", "reportOnly": "https://collect.example/r/d/csp/reportOnly"}', '{"group": "default", "max_age": 31536000, "endpoints": [{"url": "https://collect.example/a/d/g"}], "include_subdomains": true}', '{"max_age": 31536000, "report_to": "default", "include_subdomains": true}', 'acme@dmarc.collect.example', 'acme@tlsrpt.collect.example');

insert into watch (account_id, product, site, site_key, email_alerts_enabled, webhook_enabled, webhook_target, alert_threshold) values
  ('u-1', 'data', 'own.example.com', 'own.example.com', 'true', 'false', NULL, '10'),
  ('u-1', 'frame', 'own.example.com', 'own.example.com', 'true', 'false', NULL, '10'),
  ('u-1', 'policy', 'own.example.com', 'own.example.com', 'true', 'false', NULL, '10'),
  ('u-1', 'script', 'own.example.com', 'own.example.com', 'true', 'false', NULL, '10'),
  ('u-2', 'data', 'own.example.com', 'own.example.com', 'true', 'false', NULL, '10'),
  ('u-2', 'frame', 'own.example.com', 'own.example.com', 'true', 'false', NULL, '10'),
  ('u-2', 'policy', 'own.example.com', 'own.example.com', 'true', 'false', NULL, '10'),
  ('u-2', 'script', 'own.example.com', 'own.example.com', 'true', 'false', NULL, '10');

insert into verdict (account_id, subject_kind, site_key, subject, site, verdict, reason, owner, hashes, decided_by, decided_at) values
  ('u-1', 'script', 'own.example.com', 'https://cdn.example.net/*', 'own.example.com', 'accepted', 'It takes payments', 'Web', '[]', 'ann@example.com', '2026-01-02 00:00:00+00'),
  ('u-2', 'script', 'own.example.com', 'https://cdn.example.net/*', 'own.example.com', 'accepted', 'It takes payments', 'Web', '[]', 'ann@example.com', '2026-01-02 00:00:00+00');

insert into watch_finding (account_id, product, site_key, subject_sha256, subject, count, first_seen, last_seen, source, enforced) values
  ('u-1', 'data', 'own.example.com', E'\\xb1141f5abeccda439decc7e702ef2380c38537e6c4a26f0c00da93f34edbd45a', 'https://cdn.example.net/a.js', '1', '2026-05-01 00:00:00+00', '2026-05-02 00:00:00+00', 'csp', NULL),
  ('u-1', 'frame', 'own.example.com', E'\\xb1141f5abeccda439decc7e702ef2380c38537e6c4a26f0c00da93f34edbd45a', 'https://cdn.example.net/a.js', '1', '2026-05-01 00:00:00+00', '2026-05-02 00:00:00+00', 'csp', NULL),
  ('u-1', 'policy', 'own.example.com', E'\\xa7ab0d8ee3af24621da2e9b113be8e7de5c663a248eda4bf0b57d71c020fc180', 'default-src ''self''', '1', '2026-05-01 00:00:00+00', '2026-05-02 00:00:00+00', NULL, 'true'),
  ('u-1', 'script', 'own.example.com', E'\\xb1141f5abeccda439decc7e702ef2380c38537e6c4a26f0c00da93f34edbd45a', 'https://cdn.example.net/a.js', '1', '2026-05-01 00:00:00+00', '2026-05-02 00:00:00+00', 'csp', NULL),
  ('u-2', 'data', 'own.example.com', E'\\xb1141f5abeccda439decc7e702ef2380c38537e6c4a26f0c00da93f34edbd45a', 'https://cdn.example.net/a.js', '1', '2026-05-01 00:00:00+00', '2026-05-02 00:00:00+00', 'csp', NULL),
  ('u-2', 'frame', 'own.example.com', E'\\xb1141f5abeccda439decc7e702ef2380c38537e6c4a26f0c00da93f34edbd45a', 'https://cdn.example.net/a.js', '1', '2026-05-01 00:00:00+00', '2026-05-02 00:00:00+00', 'csp', NULL),
  ('u-2', 'policy', 'own.example.com', E'\\xa7ab0d8ee3af24621da2e9b113be8e7de5c663a248eda4bf0b57d71c020fc180', 'default-src ''self''', '1', '2026-05-01 00:00:00+00', '2026-05-02 00:00:00+00', NULL, 'true'),
  ('u-2', 'script', 'own.example.com', E'\\xb1141f5abeccda439decc7e702ef2380c38537e6c4a26f0c00da93f34edbd45a', 'https://cdn.example.net/a.js', '1', '2026-05-01 00:00:00+00', '2026-05-02 00:00:00+00', 'csp', NULL);
