-- /v1/filters, Account.filters, Account.insightCoverage, Account.insights: $1 = ["acme"]
select account_id, global, advanced, certificate_transparency as "certificateTransparency",
sampling_rates as "samplingRates"
from filter_configuration
where account_id = any($1::text[])
