// Printed by `npm run codegen` from openapi.yaml. Changes here are overwritten.
export interface paths {
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account of the key
         * @description The account that the key belongs to.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where to send reports
         * @description Where to send reports: addresses and header values.
         */
        get: operations["getSetup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The plan and its features
         * @description The account's plan and its features.
         */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The team and its members
         * @description The team and its members. Available only with a team key.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/filters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Filters and sampling rates
         * @description Which reports are filtered out, and how the others are sampled.
         */
        get: operations["getFilters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/csp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Content Security Policy reports
         * @description Content Security Policy reports of one hour, day or month, newest first. A violation of a Content Security Policy.
         */
        get: operations["listCspReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/csp_integrity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * CSP Integrity reports
         * @description CSP Integrity reports of one hour, day or month, newest first. A subresource and its hash, as reported by CSP Integrity.
         */
        get: operations["listCspIntegrityReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/integrity_policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Integrity Policy reports
         * @description Integrity Policy reports of one hour, day or month, newest first. A violation of an Integrity-Policy.
         */
        get: operations["listIntegrityPolicyReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/permissions_policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Permissions Policy reports
         * @description Permissions Policy reports of one hour, day or month, newest first. A violation of a Permissions Policy.
         */
        get: operations["listPermissionsPolicyReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/nel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Network Error Logging reports
         * @description Network Error Logging reports of one hour, day or month, newest first. A network error or success that a browser observed.
         */
        get: operations["listNelReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/deprecation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deprecation reports
         * @description Deprecation reports of one hour, day or month, newest first. Use of a deprecated browser feature.
         */
        get: operations["listDeprecationReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/intervention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Intervention reports
         * @description Intervention reports of one hour, day or month, newest first. An action of the page that the browser blocked or changed.
         */
        get: operations["listInterventionReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/crash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Crash reports
         * @description Crash reports of one hour, day or month, newest first. A page that crashed.
         */
        get: operations["listCrashReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/coep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cross-Origin Embedder Policy reports
         * @description Cross-Origin Embedder Policy reports of one hour, day or month, newest first. A violation of a Cross-Origin-Embedder-Policy.
         */
        get: operations["listCoepReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/coop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cross-Origin Opener Policy reports
         * @description Cross-Origin Opener Policy reports of one hour, day or month, newest first. A violation of a Cross-Origin-Opener-Policy.
         */
        get: operations["listCoopReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/dmarc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * DMARC reports
         * @description DMARC reports of one hour, day or month, newest first. A row of a DMARC aggregate report.
         */
        get: operations["listDmarcReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/tls_rpt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * SMTP TLS Reporting reports
         * @description SMTP TLS Reporting reports of one hour, day or month, newest first. A policy of an SMTP TLS report, with its sessions.
         */
        get: operations["listTlsRptReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/certificate_transparency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Certificate Transparency reports
         * @description Certificate Transparency reports of one hour, day or month, newest first. A certificate that appeared in Certificate Transparency logs.
         */
        get: operations["listCertificateTransparencyReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reports of any type
         * @description Reports of one type and of one hour, day or month, newest first.
         */
        get: operations["listReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/report-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The report types
         * @description All report types, in their usual order.
         */
        get: operations["listReportTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{type}/{unit}/{amount}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reports by day
         * @description Reports of one type by day. A period longer than one week needs a paid plan.
         */
        get: operations["getGraph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/last-seven-days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last seven days
         * @description Reports of the last seven days, by type.
         */
        get: operations["getLastSevenDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The current month by type
         * @description Reports of the current month, by type.
         */
        get: operations["getBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage-metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Outcomes of received reports
         * @description The outcomes of the reports received in the current month, by type.
         */
        get: operations["getUsageMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quota": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Use of the report quota
         * @description Use of the monthly report quota.
         */
        get: operations["getQuota"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/csp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All saved policies
         * @description The saved Content Security Policies, by name, then id.
         */
        get: operations["listCspPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policies/csp/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One saved policy
         * @description One saved Content Security Policy.
         */
        get: operations["getCspPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wizard/csp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * State of the CSP Wizard
         * @description State of the CSP Wizard.
         */
        get: operations["getCspWizard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches/script": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Domains enrolled in script watch
         * @description The domains that are enrolled in script watch, sorted by site.
         */
        get: operations["listScriptWatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Domains enrolled in data watch
         * @description The domains that are enrolled in data watch, sorted by site.
         */
        get: operations["listDataWatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Domains enrolled in frame watch
         * @description The domains that are enrolled in frame watch, sorted by site.
         */
        get: operations["listFrameWatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Domains enrolled in policy watch
         * @description The domains that are enrolled in policy watch, sorted by site.
         */
        get: operations["listPolicyWatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches/script/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Findings of script watch on a domain
         * @description The findings of script watch on a domain, most recently seen first.
         */
        get: operations["listScriptWatchFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches/data/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Findings of data watch on a domain
         * @description The findings of data watch on a domain, most recently seen first.
         */
        get: operations["listDataWatchFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches/frame/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Findings of frame watch on a domain
         * @description The findings of frame watch on a domain, most recently seen first.
         */
        get: operations["listFrameWatchFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches/policy/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Findings of policy watch on a domain
         * @description The policies that policy watch has found on a domain, most recently seen first.
         */
        get: operations["listPolicyWatchFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/certificate-transparency/cert/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One observed certificate
         * @description A certificate that was observed in the account's Certificate Transparency reports.
         */
        get: operations["getCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit trail
         * @description The audit trail, newest first. Without `limit` and `cursor` the whole trail is one answer, however long it is.
         */
        get: operations["getAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/reports/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All reports of a type
         * @description All reports of a type within retention that match the filters, except those that match an exclusion.
         */
        get: operations["listExportedReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit log
         * @description Every event of the audit log.
         */
        get: operations["listExportedAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The findings of all watches
         * @description All findings of the watches.
         */
        get: operations["listExportedFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/verdicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The decisions of the team
         * @description Every verdict on senders, blocked sources, issuers, scripts and insights. The period applies to `decidedAt`.
         */
        get: operations["listExportedVerdicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The format of every error. */
        Error: {
            /** @description A description of the error. */
            error: string;
        };
        /** @description Whose account it is. */
        Profile: components["schemas"]["PersonalAccount"] | components["schemas"]["TeamAccount"];
        /** @description An account of one person. */
        PersonalAccount: {
            /**
             * @description Always `personal`.
             * @constant
             */
            type: "personal";
            /** @description The person's e-mail address. */
            email: string;
        };
        /** @description An account of a team. */
        TeamAccount: {
            /**
             * @description Always `team`.
             * @constant
             */
            type: "team";
            /** @description The team's identifier, which is the account's too. */
            teamId: string;
            /** @description The team's name. */
            teamName: string;
        };
        /** @description Where a site sends its reports. */
        Setup: {
            /** @description Addresses for CSP's `report-uri`. */
            reportUri: components["schemas"]["ReportUriSetup"];
            /** @description Values for the Reporting API. */
            reportingApi: components["schemas"]["ReportingApiSetup"];
            /** @description Values for the NEL header. */
            nel: components["schemas"]["NelSetup"];
            /** @description E-mail address for DMARC reports. */
            dmarc: string;
            /** @description E-mail address for TLS-RPT reports. */
            tlsRpt: string;
        };
        /** @description Collector addresses for CSP's `report-uri`. */
        ReportUriSetup: {
            /** @description Address for reports of enforced policies. */
            enforce: string;
            /** @description Address for reports of report-only policies. */
            reportOnly: string;
            /** @description Address for reports of the CSP Wizard. */
            wizard: string;
        };
        /** @description Values for the header of the Reporting API. */
        ReportingApiSetup: {
            /** @description Name of the group. */
            group: string;
            /** @description Lifetime in seconds. */
            max_age: number;
            /** @description The endpoints. */
            endpoints: components["schemas"]["ReportingApiEndpoint"][];
            /** @description Whether subdomains are included. */
            include_subdomains: boolean;
        };
        /** @description An endpoint of the Reporting API. */
        ReportingApiEndpoint: {
            /** @description Address of the collector. */
            url: string;
        };
        /** @description Values for the NEL header. */
        NelSetup: {
            /** @description Name of the Reporting API's group. */
            report_to: string;
            /** @description Lifetime in seconds. */
            max_age: number;
            /** @description Whether subdomains are included. */
            include_subdomains: boolean;
        };
        /** @description An account's plan. */
        Plan: {
            /** @description Identifier of the plan. */
            plan: string;
            /** @description Display name. */
            name: string;
            /** @description State of the plan. */
            status: components["schemas"]["PlanStatus"];
            /** @description Number of reports per month. */
            reportQuota: number;
            /** @description Number of hosts from which reports are collected. */
            collectHosts: number;
            /** @description Number of days for which reports can be read. */
            dataRetentionDays: number;
            /** @description The features of the plan. */
            features: components["schemas"]["PlanFeatures"];
        };
        /**
         * @description State of a plan. A plan grants its features while it is `active` or `past_due`.
         * @enum {string}
         */
        PlanStatus: "active" | "canceled" | "past_due" | "inactive";
        /** @description The features of a plan. */
        PlanFeatures: {
            /** @description Support. */
            support: boolean;
            /** @description Teams. */
            teams: boolean;
            /** @description The Watch products, such as `scriptWatch`. */
            blockedWatch: string[];
            /** @description Webhooks. */
            webhooks: boolean;
            /** @description The client reputation filter. */
            clientReputationFilter: boolean;
            /** @description Threat Intelligence. */
            threatIntelligence: boolean;
            /** @description The integrity products, such as `cspIntegrity`. */
            integrityFeatures: string[];
            /** @description PCI DSS reports. */
            pciDss: boolean;
            /** @description Wildcard domains. */
            wildcardDomains: boolean;
        };
        /** @description A team and its members. */
        Team: {
            /** @description The team's name. */
            teamName: string;
            /** @description The team's report quota. */
            quotaLimit: number;
            /** @description Whether members must use a second factor. */
            require2fa: boolean;
            /** @description The members: the owner first, then sorted by e-mail address. */
            members: components["schemas"]["TeamMember"][];
        };
        /** @description A member of a team. */
        TeamMember: {
            /** @description The member's e-mail address. */
            email: string;
            /** @description The member's role, such as `owner` or `member`. */
            role: string;
        };
        /** @description Which reports are filtered out, and how the others are sampled. */
        FilterConfiguration: {
            /** @description Filters for every type. */
            global: components["schemas"]["GlobalFilters"];
            /** @description Filters for noise. */
            advanced: components["schemas"]["AdvancedFilters"];
            /** @description Filters for Certificate Transparency reports. */
            certificateTransparency: components["schemas"]["CertificateTransparencyFilters"];
            /** @description Percentage of reports that are stored. */
            samplingRates: components["schemas"]["SamplingRates"];
        };
        /** @description Filters for reports of every type. */
        GlobalFilters: {
            /** @description Hosts from which reports are accepted. */
            sites: string[];
            /** @description Whether referrers are removed. */
            removeReferrer: boolean;
            /** @description Whether query strings are removed. */
            removeQueryString: boolean;
            /** @description The reputation below which reports of a client are refused. */
            minimumClientReputation: number;
        };
        /** @description Filters for noise. */
        AdvancedFilters: {
            /** @description Whether reports caused by browser extensions are dropped. */
            browserExtensions: boolean;
            /** @description Whether reports that nobody can act on are dropped. */
            unactionableReports: boolean;
            /** @description Whether inline and eval reports are dropped. */
            inlineEval: boolean;
            /** @description Blocked hosts whose reports are dropped. */
            blockedHosts: string[];
            /** @description Blocked schemes whose reports are dropped. */
            blockedSchemes: string[];
            /** @description Page paths whose reports are dropped. */
            pagePaths: string[];
        };
        /** @description Filters for Certificate Transparency reports. */
        CertificateTransparencyFilters: {
            /** @description Host names that are ignored. */
            ignoredHostnames: string[];
            /** @description Issuers that are ignored. */
            ignoredIssuers: string[];
            /** @description Whether precertificates are ignored. */
            ignorePrecertificates: boolean;
        };
        /** @description Percentage of reports that are stored, 1 to 100, by report type. */
        SamplingRates: {
            /** @description Percentage of csp reports that are kept. */
            csp: number;
            /** @description Percentage of csp_integrity reports that are kept. */
            csp_integrity: number;
            /** @description Percentage of integrity_policy reports that are kept. */
            integrity_policy: number;
            /** @description Percentage of permissions_policy reports that are kept. */
            permissions_policy: number;
            /** @description Percentage of nel reports that are kept. */
            nel: number;
            /** @description Percentage of deprecation reports that are kept. */
            deprecation: number;
            /** @description Percentage of intervention reports that are kept. */
            intervention: number;
            /** @description Percentage of crash reports that are kept. */
            crash: number;
            /** @description Percentage of coep reports that are kept. */
            coep: number;
            /** @description Percentage of coop reports that are kept. */
            coop: number;
            /** @description Percentage of dmarc reports that are kept. */
            dmarc: number;
            /** @description Percentage of tls_rpt reports that are kept. */
            tls_rpt: number;
            /** @description Percentage of certificate_transparency reports that are kept. */
            certificate_transparency: number;
            /** @description Percentage of wizard reports that are kept. */
            wizard: number;
        };
        /**
         * @description Unit of a period of reports.
         * @enum {string}
         */
        ReportUnit: "hours" | "days" | "months";
        /**
         * @description Known values of ReportAction.
         * @enum {string}
         */
        ReportAction: "enforced" | "reportOnly";
        /** @description Content Security Policy reports of a period. */
        CspReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["CspReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A violation of a Content Security Policy. */
        CspReport: {
            /** @description Whether the policy was enforced or only reported. */
            action: ("enforced" | "reportOnly") | "";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The violated directive. */
            directive: string;
            /** @description Address of the blocked resource, or the keyword that replaces it. */
            blockedUri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /**
             * @description 1 when the blocked resource is an algorithmically generated domain.
             * @enum {integer}
             */
            generatedDomain: 0 | 1;
            /**
             * @description 1 when the resource matches threat intelligence.
             * @enum {integer}
             */
            indicatorOfCompromise: 0 | 1;
            /**
             * @description 1 when the resource's domain was registered recently.
             * @enum {integer}
             */
            recentlyRegisteredDomain: 0 | 1;
            /**
             * @description 1 when the resource's domain has a low reputation.
             * @enum {integer}
             */
            lowReputationDomain: 0 | 1;
            /** @description Hosts of the report's original policy that match threat intelligence. */
            policyIocHosts: string[];
            /** @description Hosts of the report's original policy that are suspicious. */
            policyConcernHosts: string[];
            /**
             * @description 1 when the resource is on the Suspicious watch-list.
             * @enum {integer}
             */
            suspicious: 0 | 1;
        };
        /** @description CSP Integrity reports of a period. */
        CspIntegrityReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["CspIntegrityReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A subresource and its hash, as reported by CSP Integrity. */
        CspIntegrityReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Address of the subresource. */
            subresourceUri: string;
            /** @description Hash of the subresource, as in its integrity attribute. */
            hash: string;
            /** @description Fetch destination of the resource. */
            destination: string;
            /** @description Kind of the subresource. */
            resourceType: string;
            /**
             * @description 1 when the resource matches threat intelligence.
             * @enum {integer}
             */
            indicatorOfCompromise: 0 | 1;
            /**
             * @description 1 when the resource's domain was registered recently.
             * @enum {integer}
             */
            recentlyRegisteredDomain: 0 | 1;
            /**
             * @description 1 when the resource's domain has a low reputation.
             * @enum {integer}
             */
            lowReputationDomain: 0 | 1;
            /**
             * @description 1 when the resource is on the Suspicious watch-list.
             * @enum {integer}
             */
            suspicious: 0 | 1;
        };
        /** @description Integrity Policy reports of a period. */
        IntegrityPolicyReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["IntegrityPolicyReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A violation of an Integrity-Policy. */
        IntegrityPolicyReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Whether the policy was enforced or only reported. */
            action: ("enforced" | "reportOnly") | "";
            /** @description Address of the blocked resource, or the keyword that replaces it. */
            blockedUri: string;
            /** @description Fetch destination of the resource. */
            destination: string;
            /**
             * @description 1 when the resource matches threat intelligence.
             * @enum {integer}
             */
            indicatorOfCompromise: 0 | 1;
            /**
             * @description 1 when the resource's domain was registered recently.
             * @enum {integer}
             */
            recentlyRegisteredDomain: 0 | 1;
            /**
             * @description 1 when the resource's domain has a low reputation.
             * @enum {integer}
             */
            lowReputationDomain: 0 | 1;
            /**
             * @description 1 when the resource is on the Suspicious watch-list.
             * @enum {integer}
             */
            suspicious: 0 | 1;
        };
        /**
         * @description Known values of PermissionsPolicyReportDisposition.
         * @enum {string}
         */
        PermissionsPolicyReportDisposition: "enforce" | "report";
        /** @description Permissions Policy reports of a period. */
        PermissionsPolicyReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["PermissionsPolicyReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A violation of a Permissions Policy. */
        PermissionsPolicyReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description The policy-controlled feature. */
            property: string;
            /** @description Whether the policy was enforced or only reported. */
            disposition: ("enforce" | "report") | "";
            /** @description The browser's message. */
            message: string;
            /** @description Address of the script that caused the report. */
            sourceFile: string;
            /** @description Line in the source file, from 1. */
            lineNumber: number | null;
            /** @description Column in the source file, from 1. */
            columnNumber: number | null;
            /** @description The frame's allow attribute. */
            allowAttribute: string;
            /** @description The frame's src attribute. */
            srcAttribute: string;
            /** @description Whether the violation is only potential and has not occurred. */
            potential: boolean;
        };
        /**
         * @description Known values of ReportPhase.
         * @enum {string}
         */
        ReportPhase: "dns" | "connection" | "application";
        /** @description Network Error Logging reports of a period. */
        NelReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["NelReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A network error or success that a browser observed. */
        NelReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Type of the network error, such as `tcp.timed_out`. */
            nelType: string;
            /** @description Phase of the request in which the error occurred. */
            phase: ("dns" | "connection" | "application") | "";
            /** @description Network protocol, such as `h2`. */
            protocol: string;
            /** @description Request method. */
            method: string;
            /** @description Status code of the response, or 0. */
            statusCode: number;
            /** @description IP address of the server. */
            serverIp: string;
            /** @description Address of the referring page. */
            referrer: string;
            /** @description Milliseconds from the start of the fetch to its end. */
            elapsedTime: number | null;
            /** @description Rate at which such reports were sampled, 0 to 1. */
            samplingFraction: number | null;
            /** @description Organisation of the server's autonomous system. */
            organisation: string;
        };
        /** @description Deprecation reports of a period. */
        DeprecationReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["DeprecationReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description Use of a deprecated browser feature. */
        DeprecationReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Identifier of the browser feature. */
            featureId: string;
            /** @description The browser's message. */
            message: string;
            /** @description Address of the script that caused the report. */
            sourceFile: string;
            /** @description Line in the source file, from 1. */
            lineNumber: number | null;
            /** @description Column in the source file, from 1. */
            columnNumber: number | null;
            /**
             * Format: date
             * @description When the feature is expected to be removed.
             */
            anticipatedRemoval: string | null;
        };
        /** @description Intervention reports of a period. */
        InterventionReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["InterventionReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description An action of the page that the browser blocked or changed. */
        InterventionReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Identifier of the browser feature. */
            featureId: string;
            /** @description The browser's message. */
            message: string;
            /** @description Address of the script that caused the report. */
            sourceFile: string;
            /** @description Line in the source file, from 1. */
            lineNumber: number | null;
            /** @description Column in the source file, from 1. */
            columnNumber: number | null;
        };
        /** @description Crash reports of a period. */
        CrashReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["CrashReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A page that crashed. */
        CrashReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description The reason for the crash, such as `oom`. */
            reason: string;
            /** @description Whether the page was a top-level page. */
            isTopLevel: boolean | null;
            /** @description Whether the page was visible or hidden. */
            visibilityState: string;
            /** @description The JavaScript call stack. */
            stack: string;
        };
        /**
         * @description Known values of CoepReportDisposition.
         * @enum {string}
         */
        CoepReportDisposition: "enforce" | "reporting";
        /** @description Cross-Origin Embedder Policy reports of a period. */
        CoepReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["CoepReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A violation of a Cross-Origin-Embedder-Policy. */
        CoepReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Kind of the violation, such as `corp`. */
            violation: string;
            /** @description Whether the policy was enforced or only reported. */
            disposition: ("enforce" | "reporting") | "";
            /** @description Address of the blocked resource, or the keyword that replaces it. */
            blockedUri: string;
            /** @description Fetch destination of the resource. */
            destination: string;
        };
        /** @description Cross-Origin Opener Policy reports of a period. */
        CoopReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["CoopReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A violation of a Cross-Origin-Opener-Policy. */
        CoopReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Kind of the violation, such as `navigation-to-response`. */
            violation: string;
            /** @description Whether the policy was enforced or only reported. */
            disposition: ("enforce" | "reporting") | "";
            /** @description The policy in force. */
            effectivePolicy: string;
            /** @description Address of the previous response. */
            previousResponseUri: string;
            /** @description Address of the next response. */
            nextResponseUri: string;
            /** @description Address of the opener. */
            openerUri: string;
            /** @description Address of the openee. */
            openeeUri: string;
            /** @description Address of the other document. */
            otherDocumentUri: string;
            /** @description Address of the initial popup. */
            initialPopupUri: string;
            /** @description Address of the referring page. */
            referrer: string;
            /** @description The property that was accessed across windows. */
            accessedProperty: string;
            /** @description Address of the script that caused the report. */
            sourceFile: string;
            /** @description Line in the source file, from 1. */
            lineNumber: number | null;
            /** @description Column in the source file, from 1. */
            columnNumber: number | null;
        };
        /** @description DMARC reports of a period. */
        DmarcReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["DmarcReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A row of a DMARC aggregate report. */
        DmarcReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Domain of the published policy. */
            domain: string;
            /** @description Domain of the From header. */
            headerFrom: string;
            /** @description Domain of the envelope sender. */
            envelopeFrom: string;
            /** @description Domain of the envelope recipient. */
            envelopeTo: string;
            /** @description IP address of the sender. */
            sourceIp: string;
            /** @description Host name of the sender. */
            sourceHostname: string;
            /** @description Organisation of the sender's autonomous system. */
            organisation: string;
            /** @description Number of the sender's autonomous system. */
            asn: number | null;
            /** @description Country of the sender's address, ISO 3166-1 alpha-2. */
            country: string;
            /** @description The receiver's handling of the message. */
            disposition: ("none" | "quarantine" | "reject" | "pass") | "";
            /** @description Result of the DKIM evaluation. */
            dkim: ("pass" | "fail") | "";
            /** @description Result of the SPF evaluation. */
            spf: ("pass" | "fail") | "";
            /** @description Whether the message passed with an aligned identifier. */
            aligned: boolean;
            /** @description The reasons why the receiver did not apply the policy. */
            overrideReasons: components["schemas"]["DmarcOverrideReason"][];
            /** @description The DKIM signatures found. */
            dkimResults: components["schemas"]["DmarcDkimResult"][];
            /** @description The SPF checks. */
            spfResults: components["schemas"]["DmarcSpfResult"][];
            /** @description The DMARC policy that the receiver found. */
            publishedPolicy: components["schemas"]["DmarcPublishedPolicy"];
            /** @description Organisation that sent the report. */
            reporter: string;
            /** @description E-mail address of the reporter. */
            reporterEmail: string;
            /** @description Identifier that the reporter assigned to the report. */
            reportId: string;
            /** @description Software that created the report. */
            generator: string;
            /**
             * Format: date-time
             * @description Start of the reported period.
             */
            beginDate: string | null;
            /**
             * Format: date-time
             * @description End of the reported period.
             */
            endDate: string | null;
        };
        /** @description The reasons why the receiver did not apply the policy. */
        DmarcOverrideReason: {
            /** @description Kind of the reason. */
            type: string;
            /** @description The receiver's comment. */
            comment: string;
        };
        /** @description The DKIM signatures found. */
        DmarcDkimResult: {
            /** @description Signing domain. */
            domain: string;
            /** @description DKIM selector. */
            selector: string;
            /** @description Result of the verification. */
            result: string;
            /** @description The result in words. */
            humanResult: string;
        };
        /** @description The SPF checks. */
        DmarcSpfResult: {
            /** @description Checked domain. */
            domain: string;
            /** @description Checked identity. */
            scope: string;
            /** @description Result of the check. */
            result: string;
            /** @description The result in words. */
            humanResult: string;
        };
        /** @description The DMARC policy that the receiver found. */
        DmarcPublishedPolicy: {
            /** @description Policy for the domain. */
            p: string;
            /** @description Policy for subdomains. */
            sp: string;
            /** @description Policy for subdomains that do not exist. */
            np: string;
            /** @description Alignment mode for DKIM. */
            adkim: string;
            /** @description Alignment mode for SPF. */
            aspf: string;
            /** @description Failure reporting options. */
            fo: string;
            /** @description Percentage of messages the policy applies to. */
            pct: number | null;
            /** @description Whether the policy is being tested. */
            testing: string;
            /** @description How the policy was found. */
            discoveryMethod: string;
        };
        /** @description SMTP TLS Reporting reports of a period. */
        TlsRptReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["TlsRptReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A policy of an SMTP TLS report, with its sessions. */
        TlsRptReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Domain of the policy. */
            domain: string;
            /** @description Kind of the policy. */
            policyType: ("tlsa" | "sts" | "no-policy-found") | "";
            /** @description The lines of the policy that the sender found. */
            policyStrings: string[];
            /** @description Mail exchangers of the policy. */
            mxHosts: string[];
            /** @description Sessions that were established. */
            successfulSessions: number | null;
            /** @description Sessions that failed. */
            failedSessions: number | null;
            /** @description The failures by kind. */
            failureDetails: components["schemas"]["TlsRptFailureDetail"][];
            /** @description Organisation that sent the report. */
            reporter: string;
            /** @description Contact information of the reporter. */
            contactInfo: string;
            /** @description Identifier that the reporter assigned to the report. */
            reportId: string;
            /**
             * Format: date-time
             * @description Start of the reported period.
             */
            beginDate: string | null;
            /**
             * Format: date-time
             * @description End of the reported period.
             */
            endDate: string | null;
        };
        /** @description The failures by kind. */
        TlsRptFailureDetail: {
            /** @description Kind of the failure. */
            resultType: string;
            /** @description Number of sessions with this failure. */
            failedSessions: number | null;
            /** @description IP address of the sending server. */
            sendingMtaIp: string;
            /** @description IP address of the receiving server. */
            receivingIp: string;
            /** @description Host name of the receiving server. */
            receivingMxHostname: string;
            /** @description The HELO name of the receiving server. */
            receivingMxHelo: string;
            /** @description Code of the reason. */
            failureReasonCode: string;
            /** @description Address of additional information about the failure. */
            additionalInformation: string;
        };
        /**
         * @description Known values of ReportCertType.
         * @enum {string}
         */
        ReportCertType: "certificate" | "precertificate";
        /** @description Certificate Transparency reports of a period. */
        CertificateTransparencyReports: {
            /** @description The records, newest first: at most 1000, unless the service is configured otherwise. */
            reports: components["schemas"]["CertificateTransparencyReport"][];
            /** @description Whether there are more records than the response contains. */
            truncated: boolean;
        };
        /** @description A certificate that appeared in Certificate Transparency logs. */
        CertificateTransparencyReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Host names in the certificate. */
            hostnames: string[];
            /** @description Common name of the certificate's subject. */
            commonName: string;
            /** @description Whether it is a certificate or a precertificate. */
            certType: ("certificate" | "precertificate") | "";
            /** @description Distinguished name of the issuer. */
            issuer: string;
            /** @description Serial number in hexadecimal. */
            serialNumber: string;
            /** @description SHA-256 of the certificate's DER in hexadecimal. */
            sha256: string;
            /** @description SHA-256 of its public key info in hexadecimal. */
            sha256Spki: string;
            /** @description SHA-256 of its to-be-signed part in hexadecimal. */
            sha256Tbs: string;
            /**
             * Format: date-time
             * @description Start of its validity.
             */
            notBefore: string | null;
            /**
             * Format: date-time
             * @description End of its validity.
             */
            notAfter: string | null;
            /** @description The logs that contain the certificate. */
            logs: components["schemas"]["CertificateTransparencyLog"][];
        };
        /** @description The logs that contain the certificate. */
        CertificateTransparencyLog: {
            /** @description Name of the log. */
            name: string;
            /** @description Identifier of the log. */
            logId: string;
            /**
             * Format: date-time
             * @description When the log accepted the certificate.
             */
            timestamp: string | null;
        };
        /**
         * @description Identifier of a report type.
         * @enum {string}
         */
        ReportTypeName: "csp" | "csp_integrity" | "integrity_policy" | "permissions_policy" | "nel" | "deprecation" | "intervention" | "crash" | "coep" | "coop" | "dmarc" | "tls_rpt" | "certificate_transparency";
        /** @description The report types. */
        ReportTypeList: {
            /** @description The report types. */
            types: components["schemas"]["ReportType"][];
        };
        /** @description A report type. */
        ReportType: {
            /** @description Identifier of the type, as used in paths. */
            type: components["schemas"]["ReportTypeName"];
            /** @description Display name. */
            label: string;
        };
        /**
         * @description Unit of the period of a graph.
         * @enum {string}
         */
        GraphUnit: "weeks" | "months";
        /** @description Reports of one type by day. */
        Graph: {
            /** @description The report type. */
            type: components["schemas"]["ReportTypeName"];
            /** @description Unit of the period. */
            unit: components["schemas"]["GraphUnit"];
            /**
             * Format: int32
             * @description The number of units.
             * @enum {integer}
             */
            amount: 1 | 2 | 3 | 4 | 6 | 12;
            /** @description One entry per day, oldest first; the last is today. */
            periods: components["schemas"]["GraphPeriod"][];
        };
        /** @description A day of a graph, with directives for CSP reports. */
        GraphPeriod: components["schemas"]["CspGraphPeriod"] | components["schemas"]["TotalGraphPeriod"];
        /** @description A day of a graph of CSP reports. */
        CspGraphPeriod: {
            /**
             * Format: date
             * @description The day, in UTC.
             */
            date: string;
            /** @description Reports on that day. */
            total: number;
            /** @description Reports by violated directive; `unknown`, which is always present, counts those without one. */
            directives: {
                [key: string]: number;
            };
        };
        /** @description A day of a graph. */
        TotalGraphPeriod: {
            /**
             * Format: date
             * @description The day, in UTC.
             */
            date: string;
            /** @description Reports on that day. */
            total: number;
        };
        /** @description Reports of the last seven days, by type. */
        LastSevenDays: {
            /** @description Seven days, oldest first; the last is today. */
            days: components["schemas"]["DayTotals"][];
        };
        /** @description Reports of one day, by type. */
        DayTotals: {
            /**
             * Format: date
             * @description The day, in UTC.
             */
            date: string;
            /** @description Content Security Policy reports of that day. */
            csp: number;
            /** @description CSP Integrity reports of that day. */
            csp_integrity: number;
            /** @description Integrity Policy reports of that day. */
            integrity_policy: number;
            /** @description Permissions Policy reports of that day. */
            permissions_policy: number;
            /** @description Network Error Logging reports of that day. */
            nel: number;
            /** @description Deprecation reports of that day. */
            deprecation: number;
            /** @description Intervention reports of that day. */
            intervention: number;
            /** @description Crash reports of that day. */
            crash: number;
            /** @description Cross-Origin Embedder Policy reports of that day. */
            coep: number;
            /** @description Cross-Origin Opener Policy reports of that day. */
            coop: number;
            /** @description DMARC reports of that day. */
            dmarc: number;
            /** @description SMTP TLS Reporting reports of that day. */
            tls_rpt: number;
            /** @description Certificate Transparency reports of that day. */
            certificate_transparency: number;
        };
        /** @description Reports of the current month by type. */
        Breakdown: {
            /** @description Reports by type. */
            breakdown: components["schemas"]["ReportTypeTotals"];
        };
        /** @description A count for each report type. */
        ReportTypeTotals: {
            /** @description Content Security Policy reports. */
            csp: number;
            /** @description CSP Integrity reports. */
            csp_integrity: number;
            /** @description Integrity Policy reports. */
            integrity_policy: number;
            /** @description Permissions Policy reports. */
            permissions_policy: number;
            /** @description Network Error Logging reports. */
            nel: number;
            /** @description Deprecation reports. */
            deprecation: number;
            /** @description Intervention reports. */
            intervention: number;
            /** @description Crash reports. */
            crash: number;
            /** @description Cross-Origin Embedder Policy reports. */
            coep: number;
            /** @description Cross-Origin Opener Policy reports. */
            coop: number;
            /** @description DMARC reports. */
            dmarc: number;
            /** @description SMTP TLS Reporting reports. */
            tls_rpt: number;
            /** @description Certificate Transparency reports. */
            certificate_transparency: number;
        };
        /** @description What became of the reports of the current month. */
        UsageMetrics: {
            /** @description One entry a report type. */
            metrics: components["schemas"]["UsageMetric"][];
        };
        /** @description The outcomes of the reports of one type received in the current month. */
        UsageMetric: {
            /** @description The report type. */
            type: components["schemas"]["ReportTypeName"];
            /** @description Accepted reports. */
            accepted: number;
            /** @description Reports that a filter dropped. */
            filtered: number;
            /** @description Reports that sampling dropped. */
            sampled: number;
            /** @description Reports that were refused. */
            rejected: number;
        };
        /** @description Use of the monthly report quota. */
        Quota: {
            /** @description Reports counted this month. */
            used: number;
            /** @description The monthly quota. */
            limit: number;
        };
        /** @description Saved Content Security Policies. */
        CspPolicyList: {
            /** @description The policies, by name, then id. */
            policies: components["schemas"]["CspPolicy"][];
        };
        /** @description A saved Content Security Policy. */
        CspPolicy: {
            /** @description Identifier of the policy. */
            id: string;
            /** @description Name of the policy. */
            name: string;
            /** @description The policy's text. */
            policy: string;
        };
        /** @description State of the CSP Wizard, which builds a policy from the reports of a site. */
        CspWizard: {
            /** @description Whether the wizard is active. */
            active: boolean;
            /** @description The policy that it has built so far. */
            policy: string;
        };
        /** @description The domains that are enrolled in a Watch product. */
        WatchList: {
            /** @description The enrolled domains, by site. */
            watches: components["schemas"]["Watch"][];
        };
        /** @description A domain that is enrolled in a Watch product. */
        Watch: {
            /** @description The enrolled domain. */
            site: string;
            /** @description Whether alerts are sent by e-mail. */
            emailAlertsEnabled: boolean;
            /** @description Whether alerts are sent to a webhook. */
            webhookEnabled: boolean;
            /** @description The webhook's address, or null. */
            webhookTarget: string | null;
            /** @description The number of findings after which an alert is sent. */
            alertThreshold: number;
        };
        /** @description What a script, data or frame watch has seen. */
        WatchFindingList: {
            /** @description The findings, most recently seen first. */
            findings: components["schemas"]["WatchFinding"][];
        };
        /** @description A resource that a script, data or frame watch has seen. */
        WatchFinding: {
            /** @description Address of the blocked resource. */
            uri: string;
            /** @description How often it was reported. */
            count: number;
            /**
             * Format: date-time
             * @description When it was first reported.
             */
            firstSeen: string;
            /**
             * Format: date-time
             * @description When it was last reported.
             */
            lastSeen: string;
            /** @description The type of the reports that the finding comes from. */
            source: components["schemas"]["FindingSource"];
        };
        /**
         * @description The type of the reports that a finding comes from.
         * @enum {string}
         */
        FindingSource: "csp" | "csp_integrity" | "integrity_policy";
        /** @description What a policy watch has seen. */
        PolicyWatchFindingList: {
            /** @description The policies, most recently seen first. */
            findings: components["schemas"]["PolicyWatchFinding"][];
        };
        /** @description A policy that a policy watch has seen. */
        PolicyWatchFinding: {
            /** @description The policy's text. */
            policy: string;
            /** @description Whether it was enforced. */
            enforced: boolean;
            /** @description How often it was reported. */
            count: number;
            /**
             * Format: date-time
             * @description When it was first reported.
             */
            firstSeen: string;
            /**
             * Format: date-time
             * @description When it was last reported.
             */
            lastSeen: string;
        };
        /** @description A certificate from the account's Certificate Transparency reports. */
        Certificate: {
            /** @description The certificate in PEM (RFC 7468). */
            pem: string;
        };
        /** @description Events of the audit log. */
        AuditLog: {
            /** @description The events, newest first. */
            events: components["schemas"]["AuditEvent"][];
            /** @description The cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Whether there is a next page. */
            truncated: boolean;
        };
        /** @description An event in an account. */
        AuditEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description Name of the event in camelCase, such as `apiKeyCreated`. */
            event: string;
            /** @description A description of the event. */
            message: string;
            /** @description Identifier of the actor. */
            loggedById: string;
            /** @description E-mail address of the actor. */
            loggedByEmail: string;
            /** @description IP address of the request, or empty for background jobs. */
            requestIp: string;
        };
        /**
         * @description The origin of a blocked resource relative to the page.
         * @enum {string}
         */
        SourceClass: "extension" | "browser" | "impossible" | "inline" | "eval" | "data" | "blob" | "sameOrigin" | "sameSite" | "external" | "unknown";
        /**
         * @description Known values of DmarcReportDisposition.
         * @enum {string}
         */
        DmarcReportDisposition: "none" | "quarantine" | "reject" | "pass";
        /**
         * @description Known values of ReportDkim.
         * @enum {string}
         */
        ReportDkim: "pass" | "fail";
        /**
         * @description Known values of ReportSpf.
         * @enum {string}
         */
        ReportSpf: "pass" | "fail";
        /** @description A violation of a Content Security Policy. */
        ExportedCspReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `csp`.
             * @constant
             */
            type: "csp";
            /** @description Whether the policy was enforced or only reported. */
            action: ("enforced" | "reportOnly") | "";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The violated directive. */
            directive: string;
            /** @description Address of the blocked resource, or the keyword that replaces it. */
            blockedUri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /**
             * @description 1 when the blocked resource is an algorithmically generated domain.
             * @enum {integer}
             */
            generatedDomain: 0 | 1;
            /**
             * @description 1 when the resource matches threat intelligence.
             * @enum {integer}
             */
            indicatorOfCompromise: 0 | 1;
            /**
             * @description 1 when the resource's domain was registered recently.
             * @enum {integer}
             */
            recentlyRegisteredDomain: 0 | 1;
            /**
             * @description 1 when the resource's domain has a low reputation.
             * @enum {integer}
             */
            lowReputationDomain: 0 | 1;
            /** @description Hosts of the report's original policy that match threat intelligence. */
            policyIocHosts: string[];
            /** @description Hosts of the report's original policy that are suspicious. */
            policyConcernHosts: string[];
            /**
             * @description 1 when the resource is on the Suspicious watch-list.
             * @enum {integer}
             */
            suspicious: 0 | 1;
            /** @description Address of the script that caused the report, without its query. */
            sourceFile: string;
            /** @description Line in the source file, from 1. */
            lineNumber: number | null;
            /** @description Column in the source file, from 1. */
            columnNumber: number | null;
            /** @description The first characters of inline code, if the policy requests them. */
            sample: string;
            /** @description Status code of the page, or 0. */
            statusCode: number;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description A subresource and its hash, as reported by CSP Integrity. */
        ExportedCspIntegrityReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `csp_integrity`.
             * @constant
             */
            type: "csp_integrity";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Address of the subresource. */
            subresourceUri: string;
            /** @description Hash of the subresource, as in its integrity attribute. */
            hash: string;
            /** @description Fetch destination of the resource. */
            destination: string;
            /** @description Kind of the subresource. */
            resourceType: string;
            /**
             * @description 1 when the resource matches threat intelligence.
             * @enum {integer}
             */
            indicatorOfCompromise: 0 | 1;
            /**
             * @description 1 when the resource's domain was registered recently.
             * @enum {integer}
             */
            recentlyRegisteredDomain: 0 | 1;
            /**
             * @description 1 when the resource's domain has a low reputation.
             * @enum {integer}
             */
            lowReputationDomain: 0 | 1;
            /**
             * @description 1 when the resource is on the Suspicious watch-list.
             * @enum {integer}
             */
            suspicious: 0 | 1;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description A violation of an Integrity-Policy. */
        ExportedIntegrityPolicyReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `integrity_policy`.
             * @constant
             */
            type: "integrity_policy";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Whether the policy was enforced or only reported. */
            action: ("enforced" | "reportOnly") | "";
            /** @description Address of the blocked resource, or the keyword that replaces it. */
            blockedUri: string;
            /** @description Fetch destination of the resource. */
            destination: string;
            /**
             * @description 1 when the resource matches threat intelligence.
             * @enum {integer}
             */
            indicatorOfCompromise: 0 | 1;
            /**
             * @description 1 when the resource's domain was registered recently.
             * @enum {integer}
             */
            recentlyRegisteredDomain: 0 | 1;
            /**
             * @description 1 when the resource's domain has a low reputation.
             * @enum {integer}
             */
            lowReputationDomain: 0 | 1;
            /**
             * @description 1 when the resource is on the Suspicious watch-list.
             * @enum {integer}
             */
            suspicious: 0 | 1;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description A violation of a Permissions Policy. */
        ExportedPermissionsPolicyReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `permissions_policy`.
             * @constant
             */
            type: "permissions_policy";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description The policy-controlled feature. */
            property: string;
            /** @description Whether the policy was enforced or only reported. */
            disposition: ("enforce" | "report") | "";
            /** @description The browser's message. */
            message: string;
            /** @description Address of the script that caused the report. */
            sourceFile: string;
            /** @description Line in the source file, from 1. */
            lineNumber: number | null;
            /** @description Column in the source file, from 1. */
            columnNumber: number | null;
            /** @description The frame's allow attribute. */
            allowAttribute: string;
            /** @description The frame's src attribute. */
            srcAttribute: string;
            /** @description Whether the violation is only potential and has not occurred. */
            potential: boolean;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description A network error or success that a browser observed. */
        ExportedNelReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `nel`.
             * @constant
             */
            type: "nel";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Type of the network error, such as `tcp.timed_out`. */
            nelType: string;
            /** @description Phase of the request in which the error occurred. */
            phase: ("dns" | "connection" | "application") | "";
            /** @description Network protocol, such as `h2`. */
            protocol: string;
            /** @description Request method. */
            method: string;
            /** @description Status code of the response, or 0. */
            statusCode: number;
            /** @description IP address of the server. */
            serverIp: string;
            /** @description Address of the referring page. */
            referrer: string;
            /** @description Milliseconds from the start of the fetch to its end. */
            elapsedTime: number | null;
            /** @description Rate at which such reports were sampled, 0 to 1. */
            samplingFraction: number | null;
            /** @description Organisation of the server's autonomous system. */
            organisation: string;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description Use of a deprecated browser feature. */
        ExportedDeprecationReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `deprecation`.
             * @constant
             */
            type: "deprecation";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Identifier of the browser feature. */
            featureId: string;
            /** @description The browser's message. */
            message: string;
            /** @description Address of the script that caused the report. */
            sourceFile: string;
            /** @description Line in the source file, from 1. */
            lineNumber: number | null;
            /** @description Column in the source file, from 1. */
            columnNumber: number | null;
            /**
             * Format: date
             * @description When the feature is expected to be removed.
             */
            anticipatedRemoval: string | null;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description An action of the page that the browser blocked or changed. */
        ExportedInterventionReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `intervention`.
             * @constant
             */
            type: "intervention";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Identifier of the browser feature. */
            featureId: string;
            /** @description The browser's message. */
            message: string;
            /** @description Address of the script that caused the report. */
            sourceFile: string;
            /** @description Line in the source file, from 1. */
            lineNumber: number | null;
            /** @description Column in the source file, from 1. */
            columnNumber: number | null;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description A page that crashed. */
        ExportedCrashReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `crash`.
             * @constant
             */
            type: "crash";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description The reason for the crash, such as `oom`. */
            reason: string;
            /** @description Whether the page was a top-level page. */
            isTopLevel: boolean | null;
            /** @description Whether the page was visible or hidden. */
            visibilityState: string;
            /** @description The JavaScript call stack. */
            stack: string;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description A violation of a Cross-Origin-Embedder-Policy. */
        ExportedCoepReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `coep`.
             * @constant
             */
            type: "coep";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Kind of the violation, such as `corp`. */
            violation: string;
            /** @description Whether the policy was enforced or only reported. */
            disposition: ("enforce" | "reporting") | "";
            /** @description Address of the blocked resource, or the keyword that replaces it. */
            blockedUri: string;
            /** @description Fetch destination of the resource. */
            destination: string;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description A violation of a Cross-Origin-Opener-Policy. */
        ExportedCoopReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `coop`.
             * @constant
             */
            type: "coop";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Kind of the violation, such as `navigation-to-response`. */
            violation: string;
            /** @description Whether the policy was enforced or only reported. */
            disposition: ("enforce" | "reporting") | "";
            /** @description The policy in force. */
            effectivePolicy: string;
            /** @description Address of the previous response. */
            previousResponseUri: string;
            /** @description Address of the next response. */
            nextResponseUri: string;
            /** @description Address of the opener. */
            openerUri: string;
            /** @description Address of the openee. */
            openeeUri: string;
            /** @description Address of the other document. */
            otherDocumentUri: string;
            /** @description Address of the initial popup. */
            initialPopupUri: string;
            /** @description Address of the referring page. */
            referrer: string;
            /** @description The property that was accessed across windows. */
            accessedProperty: string;
            /** @description Address of the script that caused the report. */
            sourceFile: string;
            /** @description Line in the source file, from 1. */
            lineNumber: number | null;
            /** @description Column in the source file, from 1. */
            columnNumber: number | null;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description A row of a DMARC aggregate report. */
        ExportedDmarcReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `dmarc`.
             * @constant
             */
            type: "dmarc";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Domain of the published policy. */
            domain: string;
            /** @description Domain of the From header. */
            headerFrom: string;
            /** @description Domain of the envelope sender. */
            envelopeFrom: string;
            /** @description Domain of the envelope recipient. */
            envelopeTo: string;
            /** @description IP address of the sender. */
            sourceIp: string;
            /** @description Host name of the sender. */
            sourceHostname: string;
            /** @description Organisation of the sender's autonomous system. */
            organisation: string;
            /** @description Number of the sender's autonomous system. */
            asn: number | null;
            /** @description Country of the sender's address, ISO 3166-1 alpha-2. */
            country: string;
            /** @description The receiver's handling of the message. */
            disposition: ("none" | "quarantine" | "reject" | "pass") | "";
            /** @description Result of the DKIM evaluation. */
            dkim: ("pass" | "fail") | "";
            /** @description Result of the SPF evaluation. */
            spf: ("pass" | "fail") | "";
            /** @description Whether the message passed with an aligned identifier. */
            aligned: boolean;
            /** @description The reasons why the receiver did not apply the policy. */
            overrideReasons: components["schemas"]["DmarcOverrideReason"][];
            /** @description The DKIM signatures found. */
            dkimResults: components["schemas"]["DmarcDkimResult"][];
            /** @description The SPF checks. */
            spfResults: components["schemas"]["DmarcSpfResult"][];
            /** @description The DMARC policy that the receiver found. */
            publishedPolicy: components["schemas"]["DmarcPublishedPolicy"];
            /** @description Organisation that sent the report. */
            reporter: string;
            /** @description E-mail address of the reporter. */
            reporterEmail: string;
            /** @description Identifier that the reporter assigned to the report. */
            reportId: string;
            /** @description Software that created the report. */
            generator: string;
            /**
             * Format: date-time
             * @description Start of the reported period.
             */
            beginDate: string | null;
            /**
             * Format: date-time
             * @description End of the reported period.
             */
            endDate: string | null;
            /** @description The sender: the organisation of its network, otherwise the registrable domain of a DKIM signature or SPF check that passed, otherwise the network itself. */
            sender: string;
        };
        /** @description A policy of an SMTP TLS report, with its sessions. */
        ExportedTlsRptReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `tls_rpt`.
             * @constant
             */
            type: "tls_rpt";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Domain of the policy. */
            domain: string;
            /** @description Kind of the policy. */
            policyType: ("tlsa" | "sts" | "no-policy-found") | "";
            /** @description The lines of the policy that the sender found. */
            policyStrings: string[];
            /** @description Mail exchangers of the policy. */
            mxHosts: string[];
            /** @description Sessions that were established. */
            successfulSessions: number | null;
            /** @description Sessions that failed. */
            failedSessions: number | null;
            /** @description The failures by kind. */
            failureDetails: components["schemas"]["TlsRptFailureDetail"][];
            /** @description Organisation that sent the report. */
            reporter: string;
            /** @description Contact information of the reporter. */
            contactInfo: string;
            /** @description Identifier that the reporter assigned to the report. */
            reportId: string;
            /**
             * Format: date-time
             * @description Start of the reported period.
             */
            beginDate: string | null;
            /**
             * Format: date-time
             * @description End of the reported period.
             */
            endDate: string | null;
        };
        /** @description A certificate that appeared in Certificate Transparency logs. */
        ExportedCertificateTransparencyReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `certificate_transparency`.
             * @constant
             */
            type: "certificate_transparency";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Host names in the certificate. */
            hostnames: string[];
            /** @description Common name of the certificate's subject. */
            commonName: string;
            /** @description Whether it is a certificate or a precertificate. */
            certType: ("certificate" | "precertificate") | "";
            /** @description Distinguished name of the issuer. */
            issuer: string;
            /** @description Serial number in hexadecimal. */
            serialNumber: string;
            /** @description SHA-256 of the certificate's DER in hexadecimal. */
            sha256: string;
            /** @description SHA-256 of its public key info in hexadecimal. */
            sha256Spki: string;
            /** @description SHA-256 of its to-be-signed part in hexadecimal. */
            sha256Tbs: string;
            /**
             * Format: date-time
             * @description Start of its validity.
             */
            notBefore: string | null;
            /**
             * Format: date-time
             * @description End of its validity.
             */
            notAfter: string | null;
            /** @description The logs that contain the certificate. */
            logs: components["schemas"]["CertificateTransparencyLog"][];
        };
        /** @description A connection that is not on the page's Connection-Allowlist. */
        ExportedConnectionAllowlistReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `connection_allowlist`.
             * @constant
             */
            type: "connection_allowlist";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Address of the connection, `webrtc`, or a host that was only resolved. */
            connection: string;
            /** @description Whether the policy was enforced or only reported. */
            disposition: ("enforce" | "report") | "";
            /** @description The patterns on the list, as the browser reports them. */
            allowlist: string[];
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description A report of an unsupported type. `raw` contains the original report. */
        ExportedOtherReport: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description Always `other`.
             * @constant
             */
            type: "other";
            /**
             * Format: date-time
             * @description When the report was created.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description The number of identical reports that this record represents. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description The browser's name for the report type. */
            wireType: string;
            /** @description The fraction of such reports that the collector stored: this one represents count ÷ samplingRate reports. Null if all were stored. */
            samplingRate: number | null;
        };
        /** @description An event in an account. */
        ExportedAuditEvent: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description Name of the event in camelCase, such as `apiKeyCreated`. */
            event: string;
            /** @description A description of the event. */
            message: string;
            /** @description Identifier of the actor. */
            loggedById: string;
            /** @description E-mail address of the actor. */
            loggedByEmail: string;
            /** @description IP address of the request, or empty for background jobs. */
            requestIp: string;
        };
        /** @description A finding of a watch. */
        ExportedFinding: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /**
             * @description The Watch product.
             * @enum {string}
             */
            product: "script" | "data" | "frame" | "policy";
            /** @description The watched domain. */
            site: string;
            /** @description Address of the blocked resource. */
            uri: string | null;
            /** @description The policy's text. */
            policy: string | null;
            /** @description How often it was reported. */
            count: number;
            /**
             * Format: date-time
             * @description When it was first reported.
             */
            firstSeen: string;
            /**
             * Format: date-time
             * @description When it was last reported.
             */
            lastSeen: string;
            source: components["schemas"]["FindingSource"] | null;
            /** @description Whether it was enforced. */
            enforced: boolean | null;
        };
        /**
         * @description The kind of subject that a team decides about.
         * @enum {string}
         */
        VerdictSubject: "sender" | "blockedSource" | "issuer" | "script" | "insight";
        /**
         * @description A decision of the team.
         * @enum {string}
         */
        VerdictName: "mine" | "accepted" | "forwarder" | "notMine";
        /** @description A decision of the team. */
        ExportedVerdict: {
            /** @description Identifier of the record, unique within the export and the same in each export. */
            id: string;
            /** @description The kind of the subject. */
            subjectKind: components["schemas"]["VerdictSubject"];
            /** @description The site to which the decision applies; null if it applies to all. */
            site: string | null;
            /** @description The subject. In blocked sources and scripts, `*` matches any characters. */
            subject: string;
            /** @description The decision. */
            verdict: components["schemas"]["VerdictName"];
            /** @description The reason for it. */
            reason: string;
            /** @description Who owns the script. */
            owner: string | null;
            /** @description Hashes of the content of a script; empty if the decision applies to any content. */
            hashes: string[];
            /** @description The count of the insight at the time of the decision. The verdict ends when the count has doubled. */
            count: number | null;
            /** @description Who decided. */
            decidedBy: string;
            /**
             * Format: date-time
             * @description When it was decided.
             */
            decidedAt: string;
            /**
             * Format: date-time
             * @description When the verdict ends; null if it does not.
             */
            expiresAt: string | null;
        };
    };
    responses: {
        /** @description The response with that `ETag` is still current. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Missing or invalid API key. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unauthorized"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Unauthorized";
                };
            };
        };
        /** @description The trial has ended, and the plan does not include the API. */
        NoApiAccess: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "API access requires a Business plan or higher"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "API access requires a Business plan or higher";
                };
            };
        };
        /** @description Another method than `GET`. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Method not allowed"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Method not allowed";
                };
            };
        };
        /** @description Rate limit exceeded. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Too many requests"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Too many requests";
                };
            };
        };
        /** @description An error of the service. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Internal server error"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Internal server error";
                };
            };
        };
        /** @description Setup not found. */
        SetupNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Setup not found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Setup not found";
                };
            };
        };
        /** @description The plan does not include this, or the key is of another kind. */
        ATeamAPIKeyIsRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "API access requires a Business plan or higher" | "A team API key is required";
                };
            };
        };
        /** @description The plan does not include this, or the key is of another kind. */
        ThreatIntelligenceIsNotIncludedInYourPlan: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "API access requires a Business plan or higher" | "Threat Intelligence is not included in your plan";
                };
            };
        };
        /** @description Unknown report type. */
        UnknownReportType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unknown report type"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Unknown report type";
                };
            };
        };
        /** @description The plan does not include this, or the key is of another kind. */
        ThisPeriodRequiresAPaidPlan: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "API access requires a Business plan or higher" | "This period requires a paid plan";
                };
            };
        };
        /** @description Policy not found. */
        PolicyNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Policy not found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Policy not found";
                };
            };
        };
        /** @description Domain is not enrolled. */
        DomainIsNotEnrolled: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Domain is not enrolled"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Domain is not enrolled";
                };
            };
        };
        /** @description Certificate not found. */
        CertificateNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Certificate not found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Certificate not found";
                };
            };
        };
        /** @description The plan does not include this, or the key is of another kind. */
        ThreatIntelligenceIsNotIncludedInYourPlanOrAnInternalTokenIsRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "API access requires a Business plan or higher" | "Threat Intelligence is not included in your plan" | "An internal token is required";
                };
            };
        };
        /** @description Unknown report type. */
        UnknownReportTypeOrAccountNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Unknown report type" | "Account not found";
                };
            };
        };
        /** @description The plan does not include this, or the key is of another kind. */
        AnInternalTokenIsRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "API access requires a Business plan or higher" | "An internal token is required";
                };
            };
        };
        /** @description Account not found. */
        AccountNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Cache-Control": components["headers"]["Cache-Control-Error"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Account not found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "Account not found";
                };
            };
        };
    };
    parameters: {
        /**
         * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
         * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
         */
        IfNoneMatch: string;
        /**
         * @description Start of the period, inclusive, by the date of the exported records: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
         * @example 2026-11-01
         */
        From: string;
        /**
         * @description End of the period, exclusive: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
         * @example 2026-11-20T12:00:00Z
         */
        To: string;
        /**
         * @description The format. Defaults to the one that `Accept` names, and to NDJSON if it names none.
         * @example ndjson
         */
        Format: "ndjson" | "csv" | "json";
        /**
         * @description A cursor: returns the records that arrived after it, in order of arrival. If empty, starts at the oldest stored record. `now` returns no records, only a cursor.
         * @example now
         */
        After: string;
        /**
         * @description With `after`: the maximum number of records in an answer; 1000 by default.
         * @example 1000
         */
        Limit: number;
        /**
         * @description With `after`: whether each NDJSON record ends with a field `cursor`, from which to continue after that record.
         * @example true
         */
        Cursors: boolean;
        /**
         * @description The account to export. Required with an internal token, which has no account of its own. A key is refused every account but its own.
         * @example demo-team
         */
        Account: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies the request in the log of the service. If the client sends one, it is used.
         * @example 2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11
         */
        "X-Request-Id": string;
        /**
         * @description Prevents browsers from guessing the content type.
         * @example nosniff
         */
        "X-Content-Type-Options": "nosniff";
        /**
         * @description The rest of the key's window: `r` requests in the next `t` seconds.
         * @example "default";r=118;t=42
         */
        RateLimit: string;
        /**
         * @description The limit: `q` requests in a window of `w` seconds.
         * @example "default";q=120;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Changes whenever the response may have changed. Send it as `If-None-Match`.
         * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
         */
        ETag: string;
        /**
         * @description A client can store the response, but must revalidate it with `If-None-Match` before using it again.
         * @example private, no-cache
         */
        "Cache-Control": "private, no-cache";
        /**
         * @description Errors must not be stored.
         * @example no-store
         */
        "Cache-Control-Error": "no-store";
        /**
         * @description The request headers that affect the response.
         * @example Authorization, Accept-Encoding
         */
        Vary: "Authorization, Accept-Encoding";
        /**
         * @description Seconds until the key's window ends.
         * @example 42
         */
        "Retry-After": number;
        /**
         * @description The required scheme, with `error="invalid_token"` if a token was sent.
         * @example Bearer realm="v1", error="invalid_token"
         */
        "WWW-Authenticate": string;
        /**
         * @description The only allowed method.
         * @example GET
         */
        Allow: "GET";
        /**
         * @description The request headers that affect an export.
         * @example Authorization, Accept, Accept-Encoding
         */
        "Vary-Export": "Authorization, Accept, Accept-Encoding";
        /**
         * @description A name for the file.
         * @example attachment; filename="sightline-csp-2026-11-20.ndjson"
         */
        "Content-Disposition": string;
        /**
         * @description With `after`: the address of the next page, as `rel="next"` (RFC 8288).
         * @example </export/reports/csp?after=MS5lM3I0LTktX3FhWjEuNDI>; rel="next"
         */
        Link: string;
        /**
         * @description With `after`: the cursor for the next request. It never expires.
         * @example MS5lM3I0LTktX3FhWjEuNDI
         */
        "Sightline-Cursor": string;
        /**
         * @description Reports that arrived after the cursor have been removed, or are no longer shown, because of their age.
         * @example true
         */
        "Sightline-Gap": "true";
        /**
         * @description With `after`, if there are no new records: seconds to wait before the next request.
         * @example 60
         */
        "Retry-After-Poll": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whose account it is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getSetup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where a site sends its reports. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setup"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            404: components["responses"]["SetupNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An account's plan. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A team and its members. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ATeamAPIKeyIsRequired"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getFilters: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Which reports are filtered out, and how the others are sampled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterConfiguration"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listCspReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Whether the policy was enforced or only reported.
                 * @example enforced
                 */
                action?: components["schemas"]["ReportAction"];
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description The violated directive.
                 * @example script-src-elem
                 */
                effectiveDirective?: string;
                /**
                 * @description Host names of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                blockedHostnames?: string[];
                /**
                 * @description Paths of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "*\/tag.js"
                 *     ]
                 */
                blockedPaths?: string[];
                /**
                 * @description Name of the browser.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
                /**
                 * @description Identifier of the CSP policy.
                 * @example main-site
                 */
                policyId?: string;
                /**
                 * @description The original policy; consecutive white space counts as one space.
                 * @example default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'
                 */
                policy?: string;
                /**
                 * @description `true`: only matches of threat intelligence. Needs the Threat Intelligence feature.
                 * @example true
                 */
                ioc?: boolean;
                /**
                 * @description `true`: only algorithmically generated domains. Needs the Threat Intelligence feature.
                 * @example true
                 */
                generatedDomain?: boolean;
                /**
                 * @description `true`: only domains on the Suspicious watch-list. Needs the Threat Intelligence feature.
                 * @example true
                 */
                suspicious?: boolean;
                /**
                 * @description `true`: only newly registered domains. Needs the Threat Intelligence feature.
                 * @example true
                 */
                newlyRegisteredDomain?: boolean;
                /**
                 * @description Only hosts with at most this reputation score, 0 to 100. Needs the Threat Intelligence feature.
                 * @example 30
                 */
                domainReputationScore?: number;
                /**
                 * @description `true`: only reports with any threat-intelligence signal; the individual filters are then ignored. Needs the Threat Intelligence feature.
                 * @example true
                 */
                anyThreatIntel?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Content Security Policy reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CspReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ThreatIntelligenceIsNotIncludedInYourPlan"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listCspIntegrityReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Host names of the subresource; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "js.adloom.example"
                 *     ]
                 */
                subresourceHostnames?: string[];
                /**
                 * @description Paths of the subresource; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/v3/*"
                 *     ]
                 */
                subresourcePaths?: string[];
                /**
                 * @description Hashes of the subresource. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c="
                 *     ]
                 */
                subresourceHashes?: string[];
                /**
                 * @description Name of the browser.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
                /**
                 * @description Fetch destination of the resource.
                 * @example script
                 */
                destination?: string;
                /**
                 * @description `true`: only matches of threat intelligence. Needs the Threat Intelligence feature.
                 * @example true
                 */
                ioc?: boolean;
                /**
                 * @description `true`: only domains on the Suspicious watch-list. Needs the Threat Intelligence feature.
                 * @example true
                 */
                suspicious?: boolean;
                /**
                 * @description `true`: only newly registered domains. Needs the Threat Intelligence feature.
                 * @example true
                 */
                newlyRegisteredDomain?: boolean;
                /**
                 * @description Only hosts with at most this reputation score, 0 to 100. Needs the Threat Intelligence feature.
                 * @example 30
                 */
                domainReputationScore?: number;
                /**
                 * @description `true`: only reports with any threat-intelligence signal; the individual filters are then ignored. Needs the Threat Intelligence feature.
                 * @example true
                 */
                anyThreatIntel?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSP Integrity reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CspIntegrityReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ThreatIntelligenceIsNotIncludedInYourPlan"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listIntegrityPolicyReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Whether the policy was enforced or only reported.
                 * @example enforced
                 */
                action?: components["schemas"]["ReportAction"];
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Host names of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                blockedHostnames?: string[];
                /**
                 * @description Paths of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "*\/tag.js"
                 *     ]
                 */
                blockedPaths?: string[];
                /**
                 * @description Name of the browser.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
                /**
                 * @description Fetch destination of the resource.
                 * @example script
                 */
                destination?: string;
                /**
                 * @description `true`: only matches of threat intelligence. Needs the Threat Intelligence feature.
                 * @example true
                 */
                ioc?: boolean;
                /**
                 * @description `true`: only domains on the Suspicious watch-list. Needs the Threat Intelligence feature.
                 * @example true
                 */
                suspicious?: boolean;
                /**
                 * @description `true`: only newly registered domains. Needs the Threat Intelligence feature.
                 * @example true
                 */
                newlyRegisteredDomain?: boolean;
                /**
                 * @description Only hosts with at most this reputation score, 0 to 100. Needs the Threat Intelligence feature.
                 * @example 30
                 */
                domainReputationScore?: number;
                /**
                 * @description `true`: only reports with any threat-intelligence signal; the individual filters are then ignored. Needs the Threat Intelligence feature.
                 * @example true
                 */
                anyThreatIntel?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Integrity Policy reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrityPolicyReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ThreatIntelligenceIsNotIncludedInYourPlan"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listPermissionsPolicyReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Name of the browser.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Whether the policy was enforced or only reported.
                 * @example enforce
                 */
                disposition?: components["schemas"]["PermissionsPolicyReportDisposition"];
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
                /**
                 * @description The policy-controlled feature.
                 * @example geolocation
                 */
                property?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Permissions Policy reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionsPolicyReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listNelReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Name of the browser.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Type of the network error.
                 * @example tcp.timed_out
                 */
                nelType?: string;
                /**
                 * @description Phase of the request.
                 * @example connection
                 */
                phase?: components["schemas"]["ReportPhase"];
                /**
                 * @description Part of the autonomous system's organisation.
                 * @example Example
                 */
                organisation?: string;
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Network Error Logging reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NelReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listDeprecationReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Name of the browser.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
                /**
                 * @description Part of the browser's message.
                 * @example deprecated
                 */
                message?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deprecation reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeprecationReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listInterventionReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Name of the browser.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
                /**
                 * @description Part of the browser's message.
                 * @example deprecated
                 */
                message?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Intervention reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InterventionReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listCrashReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Name of the browser.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Crash reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrashReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listCoepReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Host names of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                blockedHostnames?: string[];
                /**
                 * @description Paths of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "*\/tag.js"
                 *     ]
                 */
                blockedPaths?: string[];
                /**
                 * @description Name of the browser.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Whether the policy was enforced or only reported.
                 * @example enforce
                 */
                disposition?: components["schemas"]["CoepReportDisposition"];
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
                /**
                 * @description Fetch destination of the resource.
                 * @example script
                 */
                destination?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cross-Origin Embedder Policy reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoepReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listCoopReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Name of the browser.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Whether the policy was enforced or only reported.
                 * @example enforce
                 */
                disposition?: components["schemas"]["CoepReportDisposition"];
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cross-Origin Opener Policy reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoopReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listDmarcReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Part of the autonomous system's organisation.
                 * @example Example
                 */
                organisation?: string;
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description DMARC reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DmarcReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listTlsRptReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SMTP TLS Reporting reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsRptReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listCertificateTransparencyReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
                /**
                 * @description Whether it is a certificate or a precertificate.
                 * @example certificate
                 */
                certType?: components["schemas"]["ReportCertType"];
                /**
                 * @description Part of the issuer's distinguished name.
                 * @example Harbour
                 */
                issuer?: string;
                /**
                 * @description SHA-256 of the public key info.
                 * @example f5a05d2c4d1dde8bea8daeb91f0fb12cc6d2b8234712ed28a08a9353ba9023c9
                 */
                sha256Spki?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Certificate Transparency reports of a period. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificateTransparencyReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listReports: {
        parameters: {
            query: {
                /**
                 * @description Unit of the period.
                 * @example days
                 */
                unit: components["schemas"]["ReportUnit"];
                /**
                 * @description The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * @description Whether the policy was enforced or only reported. Applies to `csp`, `integrity_policy`.
                 * @example enforced
                 */
                action?: components["schemas"]["ReportAction"];
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description The violated directive. Applies to `csp`.
                 * @example script-src-elem
                 */
                effectiveDirective?: string;
                /**
                 * @description Host names of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp`, `integrity_policy`, `coep`.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                blockedHostnames?: string[];
                /**
                 * @description Paths of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp`, `integrity_policy`, `coep`.
                 * @example [
                 *       "*\/tag.js"
                 *     ]
                 */
                blockedPaths?: string[];
                /**
                 * @description Name of the browser. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
                /**
                 * @description Identifier of the CSP policy. Applies to `csp`.
                 * @example main-site
                 */
                policyId?: string;
                /**
                 * @description The original policy; consecutive white space counts as one space. Applies to `csp`.
                 * @example default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'
                 */
                policy?: string;
                /**
                 * @description `true`: only matches of threat intelligence. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                ioc?: boolean;
                /**
                 * @description `true`: only algorithmically generated domains. Needs the Threat Intelligence feature. Applies to `csp`.
                 * @example true
                 */
                generatedDomain?: boolean;
                /**
                 * @description `true`: only domains on the Suspicious watch-list. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                suspicious?: boolean;
                /**
                 * @description `true`: only newly registered domains. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                newlyRegisteredDomain?: boolean;
                /**
                 * @description Only hosts with at most this reputation score, 0 to 100. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example 30
                 */
                domainReputationScore?: number;
                /**
                 * @description `true`: only reports with any threat-intelligence signal; the individual filters are then ignored. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                anyThreatIntel?: boolean;
                /**
                 * @description Host names of the subresource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp_integrity`.
                 * @example [
                 *       "js.adloom.example"
                 *     ]
                 */
                subresourceHostnames?: string[];
                /**
                 * @description Paths of the subresource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp_integrity`.
                 * @example [
                 *       "/v3/*"
                 *     ]
                 */
                subresourcePaths?: string[];
                /**
                 * @description Hashes of the subresource. A comma-separated list; repeated parameters are combined. Applies to `csp_integrity`.
                 * @example [
                 *       "sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c="
                 *     ]
                 */
                subresourceHashes?: string[];
                /**
                 * @description Fetch destination of the resource. Applies to `csp_integrity`, `integrity_policy`, `coep`.
                 * @example script
                 */
                destination?: string;
                /**
                 * @description Whether the policy was enforced or only reported. Applies to `permissions_policy`, `coep`, `coop`.
                 * @example enforce
                 */
                disposition?: components["schemas"]["PermissionsPolicyReportDisposition"] | components["schemas"]["CoepReportDisposition"];
                /**
                 * @description The policy-controlled feature. Applies to `permissions_policy`.
                 * @example geolocation
                 */
                property?: string;
                /**
                 * @description Type of the network error. Applies to `nel`.
                 * @example tcp.timed_out
                 */
                nelType?: string;
                /**
                 * @description Phase of the request. Applies to `nel`.
                 * @example connection
                 */
                phase?: components["schemas"]["ReportPhase"];
                /**
                 * @description Part of the autonomous system's organisation. Applies to `nel`, `dmarc`.
                 * @example Example
                 */
                organisation?: string;
                /**
                 * @description Part of the browser's message. Applies to `deprecation`, `intervention`.
                 * @example deprecated
                 */
                message?: string;
                /**
                 * @description Whether it is a certificate or a precertificate. Applies to `certificate_transparency`.
                 * @example certificate
                 */
                certType?: components["schemas"]["ReportCertType"];
                /**
                 * @description Part of the issuer's distinguished name. Applies to `certificate_transparency`.
                 * @example Harbour
                 */
                issuer?: string;
                /**
                 * @description SHA-256 of the public key info. Applies to `certificate_transparency`.
                 * @example f5a05d2c4d1dde8bea8daeb91f0fb12cc6d2b8234712ed28a08a9353ba9023c9
                 */
                sha256Spki?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description A report type of `/v1/report-types`.
                 * @example csp
                 */
                type: components["schemas"]["ReportTypeName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reports of a period, with the fields of their type. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CspReports"] | components["schemas"]["CspIntegrityReports"] | components["schemas"]["IntegrityPolicyReports"] | components["schemas"]["PermissionsPolicyReports"] | components["schemas"]["NelReports"] | components["schemas"]["DeprecationReports"] | components["schemas"]["InterventionReports"] | components["schemas"]["CrashReports"] | components["schemas"]["CoepReports"] | components["schemas"]["CoopReports"] | components["schemas"]["DmarcReports"] | components["schemas"]["TlsRptReports"] | components["schemas"]["CertificateTransparencyReports"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ThreatIntelligenceIsNotIncludedInYourPlan"];
            404: components["responses"]["UnknownReportType"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listReportTypes: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report types. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportTypeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getGraph: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The report type.
                 * @example csp
                 */
                type: components["schemas"]["ReportTypeName"];
                /**
                 * @description `weeks` or `months`.
                 * @example weeks
                 */
                unit: components["schemas"]["GraphUnit"];
                /**
                 * @description 1 to 4 weeks, or 3, 6 or 12 months.
                 * @example 1
                 */
                amount: 1 | 2 | 3 | 4 | 6 | 12;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reports of one type by day. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Graph"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Invalid graph period"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ThisPeriodRequiresAPaidPlan"];
            404: components["responses"]["UnknownReportType"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getLastSevenDays: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reports of the last seven days, by type. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LastSevenDays"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getBreakdown: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reports of the current month by type. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Breakdown"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getUsageMetrics: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What became of the reports of the current month. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageMetrics"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getQuota: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Use of the monthly report quota. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quota"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listCspPolicies: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Saved Content Security Policies. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CspPolicyList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getCspPolicy: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Identifier of the policy.
                 * @example main-site
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A saved Content Security Policy. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CspPolicy"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Invalid value for parameter: id"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            404: components["responses"]["PolicyNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getCspWizard: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of the CSP Wizard, which builds a policy from the reports of a site. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CspWizard"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listScriptWatches: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domains that are enrolled in a Watch product. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listDataWatches: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domains that are enrolled in a Watch product. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listFrameWatches: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domains that are enrolled in a Watch product. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listPolicyWatches: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domains that are enrolled in a Watch product. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listScriptWatchFindings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description An enrolled domain.
                 * @example www.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a script, data or frame watch has seen. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchFindingList"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Invalid value for parameter: domain"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            404: components["responses"]["DomainIsNotEnrolled"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listDataWatchFindings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description An enrolled domain.
                 * @example www.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a script, data or frame watch has seen. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchFindingList"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Invalid value for parameter: domain"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            404: components["responses"]["DomainIsNotEnrolled"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listFrameWatchFindings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description An enrolled domain.
                 * @example www.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a script, data or frame watch has seen. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchFindingList"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Invalid value for parameter: domain"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            404: components["responses"]["DomainIsNotEnrolled"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listPolicyWatchFindings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description An enrolled domain.
                 * @example www.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a policy watch has seen. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyWatchFindingList"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Invalid value for parameter: domain"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            404: components["responses"]["DomainIsNotEnrolled"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getCertificate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description SHA-256 of the DER, in hexadecimal.
                 * @example 38ad3a65b0c45946709643387ee0a013e3eb9b94707473fdf6368b121471e26b
                 */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A certificate from the account's Certificate Transparency reports. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Certificate"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Invalid value for parameter: sha256"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            404: components["responses"]["CertificateNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getAuditLog: {
        parameters: {
            query?: {
                /**
                 * @description Events per page, 1 to 1000. Larger, empty and invalid values count as 1000.
                 * @example 100
                 */
                limit?: number | string;
                /**
                 * @description The `nextCursor` of the previous page; omitted for the first page.
                 * @example WyIxIiwiOUZJaHNPSnRWcnRBIiwiMjAyNi0xMS0yMCAwOTo1NDo0MSswMCIsIjAxYTFmOWQxLTZiNDAtN2M3Ni04YjhmLTAwMDAwMDAwMDAwMSJd
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client has. If it still holds, the answer is a `304` without a body.
                 * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events of the audit log. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Invalid cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoApiAccess"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listExportedReports: {
        parameters: {
            query?: {
                /**
                 * @description Start of the period, inclusive, by the date of the exported records: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description End of the period, exclusive: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-20T12:00:00Z
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description The format. Defaults to the one that `Accept` names, and to NDJSON if it names none.
                 * @example ndjson
                 */
                format?: components["parameters"]["Format"];
                /**
                 * @description A cursor: returns the records that arrived after it, in order of arrival. If empty, starts at the oldest stored record. `now` returns no records, only a cursor.
                 * @example now
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description With `after`: the maximum number of records in an answer; 1000 by default.
                 * @example 1000
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description With `after`: whether each NDJSON record ends with a field `cursor`, from which to continue after that record.
                 * @example true
                 */
                cursors?: components["parameters"]["Cursors"];
                /**
                 * @description The account to export. Required with an internal token, which has no account of its own. A key is refused every account but its own.
                 * @example demo-team
                 */
                account?: components["parameters"]["Account"];
                /**
                 * @description Whether the policy was enforced or only reported. Applies to `csp`, `integrity_policy`.
                 * @example enforced
                 */
                action?: components["schemas"]["ReportAction"];
                /**
                 * @description Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`, `connection_allowlist`, `other`.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description The violated directive. Applies to `csp`.
                 * @example script-src-elem
                 */
                effectiveDirective?: string;
                /**
                 * @description Host names of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp`, `integrity_policy`, `coep`, `connection_allowlist`.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                blockedHostnames?: string[];
                /**
                 * @description Paths of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp`, `integrity_policy`, `coep`, `connection_allowlist`.
                 * @example [
                 *       "*\/tag.js"
                 *     ]
                 */
                blockedPaths?: string[];
                /**
                 * @description Name of the browser. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`, `connection_allowlist`, `other`.
                 * @example Chrome
                 */
                browser?: string;
                /**
                 * @description Name of the operating system or platform. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`, `connection_allowlist`, `other`.
                 * @example Windows
                 */
                platform?: string;
                /**
                 * @description Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                id?: string;
                /**
                 * @description Identifier of the CSP policy. Applies to `csp`.
                 * @example main-site
                 */
                policyId?: string;
                /**
                 * @description The original policy; consecutive white space counts as one space. Applies to `csp`.
                 * @example default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'
                 */
                policy?: string;
                /**
                 * @description `true`: only matches of threat intelligence. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                ioc?: boolean;
                /**
                 * @description `true`: only algorithmically generated domains. Needs the Threat Intelligence feature. Applies to `csp`.
                 * @example true
                 */
                generatedDomain?: boolean;
                /**
                 * @description `true`: only domains on the Suspicious watch-list. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                suspicious?: boolean;
                /**
                 * @description `true`: only newly registered domains. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                newlyRegisteredDomain?: boolean;
                /**
                 * @description Only hosts with at most this reputation score, 0 to 100. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example 30
                 */
                domainReputationScore?: number;
                /**
                 * @description `true`: only reports with any threat-intelligence signal; the individual filters are then ignored. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                anyThreatIntel?: boolean;
                /**
                 * @description The origins of the blocked resource. A comma-separated list; repeated parameters are combined. Applies to `csp`, `integrity_policy`, `coep`, `connection_allowlist`.
                 * @example [
                 *       "extension",
                 *       "browser"
                 *     ]
                 */
                sourceClass?: components["schemas"]["SourceClass"][];
                /**
                 * @description Host names of the subresource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp_integrity`.
                 * @example [
                 *       "js.adloom.example"
                 *     ]
                 */
                subresourceHostnames?: string[];
                /**
                 * @description Paths of the subresource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp_integrity`.
                 * @example [
                 *       "/v3/*"
                 *     ]
                 */
                subresourcePaths?: string[];
                /**
                 * @description Hashes of the subresource. A comma-separated list; repeated parameters are combined. Applies to `csp_integrity`.
                 * @example [
                 *       "sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c="
                 *     ]
                 */
                subresourceHashes?: string[];
                /**
                 * @description Fetch destination of the resource. Applies to `csp_integrity`, `integrity_policy`, `coep`.
                 * @example script
                 */
                destination?: string;
                /**
                 * @description Whether the policy was enforced or only reported. Applies to `permissions_policy`, `coep`, `coop`, `dmarc`, `connection_allowlist`.
                 * @example enforce
                 */
                disposition?: components["schemas"]["PermissionsPolicyReportDisposition"] | components["schemas"]["CoepReportDisposition"] | components["schemas"]["DmarcReportDisposition"];
                /**
                 * @description The policy-controlled feature. Applies to `permissions_policy`.
                 * @example geolocation
                 */
                property?: string;
                /**
                 * @description Type of the network error. Applies to `nel`.
                 * @example tcp.timed_out
                 */
                nelType?: string;
                /**
                 * @description Phase of the request. Applies to `nel`.
                 * @example connection
                 */
                phase?: components["schemas"]["ReportPhase"];
                /**
                 * @description Part of the autonomous system's organisation. Applies to `nel`, `dmarc`.
                 * @example Example
                 */
                organisation?: string;
                /**
                 * @description IP address of the server. Applies to `nel`.
                 * @example 192.0.2.10
                 */
                serverIp?: string;
                /**
                 * @description Part of the browser's message. Applies to `deprecation`, `intervention`.
                 * @example deprecated
                 */
                message?: string;
                /**
                 * @description Identifier of the browser feature. Applies to `deprecation`, `intervention`.
                 * @example PrefixedStorageInfo
                 */
                featureId?: string;
                /**
                 * @description The reason for the crash. Applies to `crash`.
                 * @example oom
                 */
                reason?: string;
                /**
                 * @description Kind of the violation. Applies to `coep`, `coop`.
                 * @example corp
                 */
                violation?: string;
                /**
                 * @description Whether the message was aligned. Applies to `dmarc`.
                 * @example false
                 */
                aligned?: boolean;
                /**
                 * @description Result of the DKIM evaluation. Applies to `dmarc`.
                 * @example fail
                 */
                dkim?: components["schemas"]["ReportDkim"];
                /**
                 * @description Result of the SPF evaluation. Applies to `dmarc`.
                 * @example fail
                 */
                spf?: components["schemas"]["ReportSpf"];
                /**
                 * @description The complete name of the sender. Applies to `dmarc`.
                 * @example mailing.example
                 */
                sender?: string;
                /**
                 * @description IP address of the sender. Applies to `dmarc`.
                 * @example 198.51.100.7
                 */
                sourceIp?: string;
                /**
                 * @description Network of the sender's address: an IPv4 /24 or an IPv6 /48. Applies to `dmarc`.
                 * @example 198.51.100.0/24
                 */
                sourceNetwork?: string;
                /**
                 * @description Organisation that sent the report. Applies to `dmarc`, `tls_rpt`.
                 * @example Example Mail
                 */
                reporter?: string;
                /**
                 * @description Kind of the policy. Applies to `tls_rpt`.
                 * @example sts
                 */
                policyType?: string;
                /**
                 * @description Kind of a failure. Applies to `tls_rpt`.
                 * @example certificate-expired
                 */
                resultType?: string;
                /**
                 * @description Whether sessions failed. Applies to `tls_rpt`.
                 * @example true
                 */
                hasFailures?: boolean;
                /**
                 * @description Whether it is a certificate or a precertificate. Applies to `certificate_transparency`.
                 * @example certificate
                 */
                certType?: components["schemas"]["ReportCertType"];
                /**
                 * @description Part of the issuer's distinguished name. Applies to `certificate_transparency`.
                 * @example Harbour
                 */
                issuer?: string;
                /**
                 * @description SHA-256 of the public key info. Applies to `certificate_transparency`.
                 * @example f5a05d2c4d1dde8bea8daeb91f0fb12cc6d2b8234712ed28a08a9353ba9023c9
                 */
                sha256Spki?: string;
                /**
                 * @description The browser's name for the report type. Applies to `other`.
                 * @example document-policy-violation
                 */
                wireType?: string;
                /**
                 * @description Excludes matching reports. Whether the policy was enforced or only reported. Applies to `csp`, `integrity_policy`.
                 * @example enforced
                 */
                "not.action"?: components["schemas"]["ReportAction"];
                /**
                 * @description Excludes matching reports. Host names of the page or of its equivalent for this type; `*` matches any characters. A comma-separated list; repeated parameters are combined.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                "not.hostnames"?: string[];
                /**
                 * @description Excludes matching reports. Paths of the page; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`, `connection_allowlist`, `other`.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                "not.paths"?: string[];
                /**
                 * @description Excludes matching reports. The violated directive. Applies to `csp`.
                 * @example script-src-elem
                 */
                "not.effectiveDirective"?: string;
                /**
                 * @description Excludes matching reports. Host names of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp`, `integrity_policy`, `coep`, `connection_allowlist`.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                "not.blockedHostnames"?: string[];
                /**
                 * @description Excludes matching reports. Paths of the blocked resource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp`, `integrity_policy`, `coep`, `connection_allowlist`.
                 * @example [
                 *       "*\/tag.js"
                 *     ]
                 */
                "not.blockedPaths"?: string[];
                /**
                 * @description Excludes matching reports. Name of the browser. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`, `connection_allowlist`, `other`.
                 * @example Chrome
                 */
                "not.browser"?: string;
                /**
                 * @description Excludes matching reports. Name of the operating system or platform. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`, `connection_allowlist`, `other`.
                 * @example Windows
                 */
                "not.platform"?: string;
                /**
                 * @description Excludes matching reports. Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                "not.id"?: string;
                /**
                 * @description Excludes matching reports. Identifier of the CSP policy. Applies to `csp`.
                 * @example main-site
                 */
                "not.policyId"?: string;
                /**
                 * @description Excludes matching reports. The original policy; consecutive white space counts as one space. Applies to `csp`.
                 * @example default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'
                 */
                "not.policy"?: string;
                /**
                 * @description Excludes matching reports. `true`: only matches of threat intelligence. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                "not.ioc"?: boolean;
                /**
                 * @description Excludes matching reports. `true`: only algorithmically generated domains. Needs the Threat Intelligence feature. Applies to `csp`.
                 * @example true
                 */
                "not.generatedDomain"?: boolean;
                /**
                 * @description Excludes matching reports. `true`: only domains on the Suspicious watch-list. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                "not.suspicious"?: boolean;
                /**
                 * @description Excludes matching reports. `true`: only newly registered domains. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                "not.newlyRegisteredDomain"?: boolean;
                /**
                 * @description Excludes matching reports. Only hosts with at most this reputation score, 0 to 100. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example 30
                 */
                "not.domainReputationScore"?: number;
                /**
                 * @description Excludes matching reports. `true`: only reports with any threat-intelligence signal; the individual filters are then ignored. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                "not.anyThreatIntel"?: boolean;
                /**
                 * @description Excludes matching reports. The origins of the blocked resource. A comma-separated list; repeated parameters are combined. Applies to `csp`, `integrity_policy`, `coep`, `connection_allowlist`.
                 * @example [
                 *       "extension",
                 *       "browser"
                 *     ]
                 */
                "not.sourceClass"?: components["schemas"]["SourceClass"][];
                /**
                 * @description Excludes matching reports. Host names of the subresource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp_integrity`.
                 * @example [
                 *       "js.adloom.example"
                 *     ]
                 */
                "not.subresourceHostnames"?: string[];
                /**
                 * @description Excludes matching reports. Paths of the subresource; `*` matches any characters. A comma-separated list; repeated parameters are combined. Applies to `csp_integrity`.
                 * @example [
                 *       "/v3/*"
                 *     ]
                 */
                "not.subresourcePaths"?: string[];
                /**
                 * @description Excludes matching reports. Hashes of the subresource. A comma-separated list; repeated parameters are combined. Applies to `csp_integrity`.
                 * @example [
                 *       "sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c="
                 *     ]
                 */
                "not.subresourceHashes"?: string[];
                /**
                 * @description Excludes matching reports. Fetch destination of the resource. Applies to `csp_integrity`, `integrity_policy`, `coep`.
                 * @example script
                 */
                "not.destination"?: string;
                /**
                 * @description Excludes matching reports. Whether the policy was enforced or only reported. Applies to `permissions_policy`, `coep`, `coop`, `dmarc`, `connection_allowlist`.
                 * @example enforce
                 */
                "not.disposition"?: components["schemas"]["PermissionsPolicyReportDisposition"] | components["schemas"]["CoepReportDisposition"] | components["schemas"]["DmarcReportDisposition"];
                /**
                 * @description Excludes matching reports. The policy-controlled feature. Applies to `permissions_policy`.
                 * @example geolocation
                 */
                "not.property"?: string;
                /**
                 * @description Excludes matching reports. Type of the network error. Applies to `nel`.
                 * @example tcp.timed_out
                 */
                "not.nelType"?: string;
                /**
                 * @description Excludes matching reports. Phase of the request. Applies to `nel`.
                 * @example connection
                 */
                "not.phase"?: components["schemas"]["ReportPhase"];
                /**
                 * @description Excludes matching reports. Part of the autonomous system's organisation. Applies to `nel`, `dmarc`.
                 * @example Example
                 */
                "not.organisation"?: string;
                /**
                 * @description Excludes matching reports. IP address of the server. Applies to `nel`.
                 * @example 192.0.2.10
                 */
                "not.serverIp"?: string;
                /**
                 * @description Excludes matching reports. Part of the browser's message. Applies to `deprecation`, `intervention`.
                 * @example deprecated
                 */
                "not.message"?: string;
                /**
                 * @description Excludes matching reports. Identifier of the browser feature. Applies to `deprecation`, `intervention`.
                 * @example PrefixedStorageInfo
                 */
                "not.featureId"?: string;
                /**
                 * @description Excludes matching reports. The reason for the crash. Applies to `crash`.
                 * @example oom
                 */
                "not.reason"?: string;
                /**
                 * @description Excludes matching reports. Kind of the violation. Applies to `coep`, `coop`.
                 * @example corp
                 */
                "not.violation"?: string;
                /**
                 * @description Excludes matching reports. Whether the message was aligned. Applies to `dmarc`.
                 * @example false
                 */
                "not.aligned"?: boolean;
                /**
                 * @description Excludes matching reports. Result of the DKIM evaluation. Applies to `dmarc`.
                 * @example fail
                 */
                "not.dkim"?: components["schemas"]["ReportDkim"];
                /**
                 * @description Excludes matching reports. Result of the SPF evaluation. Applies to `dmarc`.
                 * @example fail
                 */
                "not.spf"?: components["schemas"]["ReportSpf"];
                /**
                 * @description Excludes matching reports. The complete name of the sender. Applies to `dmarc`.
                 * @example mailing.example
                 */
                "not.sender"?: string;
                /**
                 * @description Excludes matching reports. IP address of the sender. Applies to `dmarc`.
                 * @example 198.51.100.7
                 */
                "not.sourceIp"?: string;
                /**
                 * @description Excludes matching reports. Network of the sender's address: an IPv4 /24 or an IPv6 /48. Applies to `dmarc`.
                 * @example 198.51.100.0/24
                 */
                "not.sourceNetwork"?: string;
                /**
                 * @description Excludes matching reports. Organisation that sent the report. Applies to `dmarc`, `tls_rpt`.
                 * @example Example Mail
                 */
                "not.reporter"?: string;
                /**
                 * @description Excludes matching reports. Kind of the policy. Applies to `tls_rpt`.
                 * @example sts
                 */
                "not.policyType"?: string;
                /**
                 * @description Excludes matching reports. Kind of a failure. Applies to `tls_rpt`.
                 * @example certificate-expired
                 */
                "not.resultType"?: string;
                /**
                 * @description Excludes matching reports. Whether sessions failed. Applies to `tls_rpt`.
                 * @example true
                 */
                "not.hasFailures"?: boolean;
                /**
                 * @description Excludes matching reports. Whether it is a certificate or a precertificate. Applies to `certificate_transparency`.
                 * @example certificate
                 */
                "not.certType"?: components["schemas"]["ReportCertType"];
                /**
                 * @description Excludes matching reports. Part of the issuer's distinguished name. Applies to `certificate_transparency`.
                 * @example Harbour
                 */
                "not.issuer"?: string;
                /**
                 * @description Excludes matching reports. SHA-256 of the public key info. Applies to `certificate_transparency`.
                 * @example f5a05d2c4d1dde8bea8daeb91f0fb12cc6d2b8234712ed28a08a9353ba9023c9
                 */
                "not.sha256Spki"?: string;
                /**
                 * @description Excludes matching reports. The browser's name for the report type. Applies to `other`.
                 * @example document-policy-violation
                 */
                "not.wireType"?: string;
            };
            header?: never;
            path: {
                /**
                 * @description A report type of `/v1/report-types`, `connection_allowlist` or `other`.
                 * @example csp
                 */
                type: "csp" | "csp_integrity" | "integrity_policy" | "permissions_policy" | "nel" | "deprecation" | "intervention" | "crash" | "coep" | "coop" | "dmarc" | "tls_rpt" | "certificate_transparency" | "connection_allowlist" | "other";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reports of the type. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary-Export"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    Link: components["headers"]["Link"];
                    "Sightline-Cursor": components["headers"]["Sightline-Cursor"];
                    "Sightline-Gap": components["headers"]["Sightline-Gap"];
                    "Retry-After": components["headers"]["Retry-After-Poll"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"01a1f9d1-6b40-7c76-8b8f-000000000001","type":"csp","action":"enforced","date":"2026-11-20T11:25:00+00:00","uri":"https://www.example.com/checkout/payment","directive":"script-src-elem","blockedUri":"https://cdn.slider-update.example/tag.js","raw":"{\"age\":4137,\"body\":{\"blockedURL\":\"https://cdn.slider-update.example/tag.js\",\"disposition\":\"enforce\",\"documentURL\":\"https://www.example.com/checkout/payment\",\"effectiveDirective\":\"script-src-elem\",\"originalPolicy\":\"default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'\",\"statusCode\":200},\"type\":\"csp-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}","count":3,"browser":"Chrome","platform":"Windows","generatedDomain":0,"indicatorOfCompromise":1,"recentlyRegisteredDomain":1,"lowReputationDomain":0,"policyIocHosts":[],"policyConcernHosts":["js.adloom.example"],"suspicious":0,"sourceFile":"","lineNumber":null,"columnNumber":null,"sample":"","statusCode":200,"samplingRate":0.1} */
                    "application/x-ndjson": string;
                    /**
                     * @example id,type,action,date,uri,directive,blockedUri,raw,count,browser,platform,generatedDomain,indicatorOfCompromise,recentlyRegisteredDomain,lowReputationDomain,policyIocHosts,policyConcernHosts,suspicious,sourceFile,lineNumber,columnNumber,sample,statusCode,samplingRate
                     *     01a1f9d1-6b40-7c76-8b8f-000000000001,csp,enforced,2026-11-20T11:25:00+00:00,https://www.example.com/checkout/payment,script-src-elem,https://cdn.slider-update.example/tag.js,"{""age"":4137,""body"":{""blockedURL"":""https://cdn.slider-update.example/tag.js"",""disposition"":""enforce"",""documentURL"":""https://www.example.com/checkout/payment"",""effectiveDirective"":""script-src-elem"",""originalPolicy"":""default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'"",""statusCode"":200},""type"":""csp-violation"",""url"":""https://www.example.com/checkout/payment"",""user_agent"":""Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36""}",3,Chrome,Windows,0,1,1,0,[],"[""js.adloom.example""]",0,,,,,200,0.1
                     */
                    "text/csv": string;
                    "application/json": (components["schemas"]["ExportedCspReport"] | components["schemas"]["ExportedCspIntegrityReport"] | components["schemas"]["ExportedIntegrityPolicyReport"] | components["schemas"]["ExportedPermissionsPolicyReport"] | components["schemas"]["ExportedNelReport"] | components["schemas"]["ExportedDeprecationReport"] | components["schemas"]["ExportedInterventionReport"] | components["schemas"]["ExportedCrashReport"] | components["schemas"]["ExportedCoepReport"] | components["schemas"]["ExportedCoopReport"] | components["schemas"]["ExportedDmarcReport"] | components["schemas"]["ExportedTlsRptReport"] | components["schemas"]["ExportedCertificateTransparencyReport"] | components["schemas"]["ExportedConnectionAllowlistReport"] | components["schemas"]["ExportedOtherReport"])[];
                    /**
                     * @example --b7
                     *     Content-Type: application/x-ndjson; charset=utf-8
                     *     Content-Length: 1140
                     *     Sightline-Cursor: MS5lM3I0LTktX3FhWjEuNDI
                     *
                     *     {"id":"01a1f9d1-6b40-7c76-8b8f-000000000001","type":"csp","action":"enforced","date":"2026-11-20T11:25:00+00:00","uri":"https://www.example.com/checkout/payment","directive":"script-src-elem","blockedUri":"https://cdn.slider-update.example/tag.js","raw":"{\"age\":4137,\"body\":{\"blockedURL\":\"https://cdn.slider-update.example/tag.js\",\"disposition\":\"enforce\",\"documentURL\":\"https://www.example.com/checkout/payment\",\"effectiveDirective\":\"script-src-elem\",\"originalPolicy\":\"default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'\",\"statusCode\":200},\"type\":\"csp-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}","count":3,"browser":"Chrome","platform":"Windows","generatedDomain":0,"indicatorOfCompromise":1,"recentlyRegisteredDomain":1,"lowReputationDomain":0,"policyIocHosts":[],"policyConcernHosts":["js.adloom.example"],"suspicious":0,"sourceFile":"","lineNumber":null,"columnNumber":null,"sample":"","statusCode":200,"samplingRate":0.1}
                     *
                     *     --b7--
                     */
                    "multipart/mixed": string;
                };
            };
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ThreatIntelligenceIsNotIncludedInYourPlanOrAnInternalTokenIsRequired"];
            404: components["responses"]["UnknownReportTypeOrAccountNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listExportedAuditLog: {
        parameters: {
            query?: {
                /**
                 * @description Start of the period, inclusive, by the date of the exported records: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description End of the period, exclusive: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-20T12:00:00Z
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description The format. Defaults to the one that `Accept` names, and to NDJSON if it names none.
                 * @example ndjson
                 */
                format?: components["parameters"]["Format"];
                /**
                 * @description A cursor: returns the records that arrived after it, in order of arrival. If empty, starts at the oldest stored record. `now` returns no records, only a cursor.
                 * @example now
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description With `after`: the maximum number of records in an answer; 1000 by default.
                 * @example 1000
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description With `after`: whether each NDJSON record ends with a field `cursor`, from which to continue after that record.
                 * @example true
                 */
                cursors?: components["parameters"]["Cursors"];
                /**
                 * @description The account to export. Required with an internal token, which has no account of its own. A key is refused every account but its own.
                 * @example demo-team
                 */
                account?: components["parameters"]["Account"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of the account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary-Export"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    Link: components["headers"]["Link"];
                    "Sightline-Cursor": components["headers"]["Sightline-Cursor"];
                    "Sightline-Gap": components["headers"]["Sightline-Gap"];
                    "Retry-After": components["headers"]["Retry-After-Poll"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"audit-2026-11-20-17","timestamp":"2026-11-20T09:54:41+00:00","event":"apiKeyCreated","message":"API key “dashboard” created","loggedById":"demo-team-user-1","loggedByEmail":"grace@example.com","requestIp":"198.51.100.19"} */
                    "application/x-ndjson": string;
                    /**
                     * @example id,timestamp,event,message,loggedById,loggedByEmail,requestIp
                     *     audit-2026-11-20-17,2026-11-20T09:54:41+00:00,apiKeyCreated,API key “dashboard” created,demo-team-user-1,grace@example.com,198.51.100.19
                     */
                    "text/csv": string;
                    "application/json": components["schemas"]["ExportedAuditEvent"][];
                    /**
                     * @example --b7
                     *     Content-Type: application/x-ndjson; charset=utf-8
                     *     Content-Length: 233
                     *     Sightline-Cursor: MS5lM3I0LTktX3FhWjEuNDI
                     *
                     *     {"id":"audit-2026-11-20-17","timestamp":"2026-11-20T09:54:41+00:00","event":"apiKeyCreated","message":"API key “dashboard” created","loggedById":"demo-team-user-1","loggedByEmail":"grace@example.com","requestIp":"198.51.100.19"}
                     *
                     *     --b7--
                     */
                    "multipart/mixed": string;
                };
            };
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AnInternalTokenIsRequired"];
            404: components["responses"]["AccountNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listExportedFindings: {
        parameters: {
            query?: {
                /**
                 * @description Start of the period, inclusive, by the date of the exported records: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description End of the period, exclusive: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-20T12:00:00Z
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description The format. Defaults to the one that `Accept` names, and to NDJSON if it names none.
                 * @example ndjson
                 */
                format?: components["parameters"]["Format"];
                /**
                 * @description A cursor: returns the records that arrived after it, in order of arrival. If empty, starts at the oldest stored record. `now` returns no records, only a cursor.
                 * @example now
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description With `after`: the maximum number of records in an answer; 1000 by default.
                 * @example 1000
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description With `after`: whether each NDJSON record ends with a field `cursor`, from which to continue after that record.
                 * @example true
                 */
                cursors?: components["parameters"]["Cursors"];
                /**
                 * @description The account to export. Required with an internal token, which has no account of its own. A key is refused every account but its own.
                 * @example demo-team
                 */
                account?: components["parameters"]["Account"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The findings of the account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary-Export"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    Link: components["headers"]["Link"];
                    "Sightline-Cursor": components["headers"]["Sightline-Cursor"];
                    "Sightline-Gap": components["headers"]["Sightline-Gap"];
                    "Retry-After": components["headers"]["Retry-After-Poll"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"script:www.example.com:1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f","product":"script","site":"www.example.com","uri":"https://cdn.slider-update.example/tag.js","policy":null,"count":213,"firstSeen":"2026-09-18T01:08:08+00:00","lastSeen":"2026-11-20T11:25:00+00:00","source":"csp","enforced":null} */
                    "application/x-ndjson": string;
                    /**
                     * @example id,product,site,uri,policy,count,firstSeen,lastSeen,source,enforced
                     *     script:www.example.com:1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f,script,www.example.com,https://cdn.slider-update.example/tag.js,,213,2026-09-18T01:08:08+00:00,2026-11-20T11:25:00+00:00,csp,
                     */
                    "text/csv": string;
                    "application/json": components["schemas"]["ExportedFinding"][];
                    /**
                     * @example --b7
                     *     Content-Type: application/x-ndjson; charset=utf-8
                     *     Content-Length: 326
                     *     Sightline-Cursor: MS5lM3I0LTktX3FhWjEuNDI
                     *
                     *     {"id":"script:www.example.com:1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f","product":"script","site":"www.example.com","uri":"https://cdn.slider-update.example/tag.js","policy":null,"count":213,"firstSeen":"2026-09-18T01:08:08+00:00","lastSeen":"2026-11-20T11:25:00+00:00","source":"csp","enforced":null}
                     *
                     *     --b7--
                     */
                    "multipart/mixed": string;
                };
            };
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AnInternalTokenIsRequired"];
            404: components["responses"]["AccountNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
    listExportedVerdicts: {
        parameters: {
            query?: {
                /**
                 * @description Start of the period, inclusive, by the date of the exported records: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description End of the period, exclusive: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-20T12:00:00Z
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description The format. Defaults to the one that `Accept` names, and to NDJSON if it names none.
                 * @example ndjson
                 */
                format?: components["parameters"]["Format"];
                /**
                 * @description A cursor: returns the records that arrived after it, in order of arrival. If empty, starts at the oldest stored record. `now` returns no records, only a cursor.
                 * @example now
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description With `after`: the maximum number of records in an answer; 1000 by default.
                 * @example 1000
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description With `after`: whether each NDJSON record ends with a field `cursor`, from which to continue after that record.
                 * @example true
                 */
                cursors?: components["parameters"]["Cursors"];
                /**
                 * @description The account to export. Required with an internal token, which has no account of its own. A key is refused every account but its own.
                 * @example demo-team
                 */
                account?: components["parameters"]["Account"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verdicts of the account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary-Export"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    Link: components["headers"]["Link"];
                    "Sightline-Cursor": components["headers"]["Sightline-Cursor"];
                    "Sightline-Gap": components["headers"]["Sightline-Gap"];
                    "Retry-After": components["headers"]["Retry-After-Poll"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"sender::newsletter.example.net","subjectKind":"sender","site":null,"subject":"newsletter.example.net","verdict":"mine","reason":"Sends our newsletter","owner":null,"hashes":[],"count":null,"decidedBy":"ann@example.com","decidedAt":"2026-10-01T09:00:00+00:00","expiresAt":"2027-10-01T00:00:00+00:00"} */
                    "application/x-ndjson": string;
                    /**
                     * @example id,subjectKind,site,subject,verdict,reason,owner,hashes,count,decidedBy,decidedAt,expiresAt
                     *     sender::newsletter.example.net,sender,,newsletter.example.net,mine,Sends our newsletter,,[],,ann@example.com,2026-10-01T09:00:00+00:00,2027-10-01T00:00:00+00:00
                     */
                    "text/csv": string;
                    "application/json": components["schemas"]["ExportedVerdict"][];
                    /**
                     * @example --b7
                     *     Content-Type: application/x-ndjson; charset=utf-8
                     *     Content-Length: 307
                     *     Sightline-Cursor: MS5lM3I0LTktX3FhWjEuNDI
                     *
                     *     {"id":"sender::newsletter.example.net","subjectKind":"sender","site":null,"subject":"newsletter.example.net","verdict":"mine","reason":"Sends our newsletter","owner":null,"hashes":[],"count":null,"decidedBy":"ann@example.com","decidedAt":"2026-10-01T09:00:00+00:00","expiresAt":"2027-10-01T00:00:00+00:00"}
                     *
                     *     --b7--
                     */
                    "multipart/mixed": string;
                };
            };
            /** @description Invalid path or query parameters. The error names the first one. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control-Error"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AnInternalTokenIsRequired"];
            404: components["responses"]["AccountNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
        };
    };
}
