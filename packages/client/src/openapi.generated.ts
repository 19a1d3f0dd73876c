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
         * Who the key belongs to
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
         * @description Which reports are filtered out, and how the rest is sampled.
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
         * @description CSP Integrity reports of one hour, day or month, newest first. A subresource and its hash, as seen by CSP Integrity.
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
         * @description Network Error Logging reports of one hour, day or month, newest first. A network error or success, as a browser saw it.
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
         * @description Intervention reports of one hour, day or month, newest first. A request of the page that the browser did not honour.
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
         * @description The report types, in the order in which they are always listed.
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
         * What became of reports
         * @description What became of the reports of the current month, by type.
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
         * @description The domains that are enrolled in script watch, by site.
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
         * @description The domains that are enrolled in data watch, by site.
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
         * @description The domains that are enrolled in frame watch, by site.
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
         * @description The domains that are enrolled in policy watch, by site.
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
         * @description What script watch has seen on a domain, seen last first.
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
         * @description What data watch has seen on a domain, seen last first.
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
         * @description What frame watch has seen on a domain, seen last first.
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
         * @description The policies that a policy watch has seen on a domain, seen last first.
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
         * @description All reports of a type within retention that match the filters, but for those that match an exclusion.
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
         * @description Everything that the watches have found.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What every error looks like. */
        Error: {
            /** @description What went wrong, in words. */
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
            /** @description Reports a month. */
            reportQuota: number;
            /** @description Hosts that reports are collected from. */
            collectHosts: number;
            /** @description Days for which report records can be read. */
            dataRetentionDays: number;
            /** @description What the plan includes. */
            features: components["schemas"]["PlanFeatures"];
        };
        /**
         * @description State of a plan. It grants its features while `active` or `past_due`.
         * @enum {string}
         */
        PlanStatus: "active" | "canceled" | "past_due" | "inactive";
        /** @description What a plan includes. */
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
            /** @description Whether members need a second factor. */
            require2fa: boolean;
            /** @description The members, owner first, then by e-mail address. */
            members: components["schemas"]["TeamMember"][];
        };
        /** @description A member of a team. */
        TeamMember: {
            /** @description The member's e-mail address. */
            email: string;
            /** @description The member's role, such as `owner` or `member`. */
            role: string;
        };
        /** @description Which reports are filtered out, and how the rest is sampled. */
        FilterConfiguration: {
            /** @description Filters for every type. */
            global: components["schemas"]["GlobalFilters"];
            /** @description Filters for noise. */
            advanced: components["schemas"]["AdvancedFilters"];
            /** @description Filters for Certificate Transparency reports. */
            certificateTransparency: components["schemas"]["CertificateTransparencyFilters"];
            /** @description Percentage of reports that are kept. */
            samplingRates: components["schemas"]["SamplingRates"];
        };
        /** @description Filters for reports of every type. */
        GlobalFilters: {
            /** @description Hosts that reports are accepted from. */
            sites: string[];
            /** @description Whether referrers are removed. */
            removeReferrer: boolean;
            /** @description Whether query strings are removed. */
            removeQueryString: boolean;
            /** @description Reports of clients with a lower reputation are refused. */
            minimumClientReputation: number;
        };
        /** @description Filters for noise. */
        AdvancedFilters: {
            /** @description Whether noise of browser extensions is dropped. */
            browserExtensions: boolean;
            /** @description Whether reports nobody can act on are dropped. */
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
        /** @description Percentage of reports that are kept, 1 to 100, by report type. */
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
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["CspReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A violation of a Content Security Policy. */
        CspReport: {
            /**
             * @description Whether the policy was enforced or only reported.
             * @enum {string}
             */
            action: "enforced" | "reportOnly" | "";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The violated directive. */
            directive: string;
            /** @description Address of the blocked resource, or the keyword that stands for it. */
            blockedUri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
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
            /** @description Hosts of the report's original policy that give cause for concern. */
            policyConcernHosts: string[];
            /**
             * @description 1 when the resource is on the Suspicious watch-list.
             * @enum {integer}
             */
            suspicious: 0 | 1;
        };
        /** @description CSP Integrity reports of a period. */
        CspIntegrityReports: {
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["CspIntegrityReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A subresource and its hash, as seen by CSP Integrity. */
        CspIntegrityReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
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
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["IntegrityPolicyReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A violation of an Integrity-Policy. */
        IntegrityPolicyReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /**
             * @description Whether the policy was enforced or only reported.
             * @enum {string}
             */
            action: "enforced" | "reportOnly" | "";
            /** @description Address of the blocked resource, or the keyword that stands for it. */
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
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["PermissionsPolicyReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A violation of a Permissions Policy. */
        PermissionsPolicyReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description The policy-controlled feature. */
            property: string;
            /**
             * @description Whether the policy was enforced or only reported.
             * @enum {string}
             */
            disposition: "enforce" | "report" | "";
            /** @description Human-readable text of the browser. */
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
            /** @description Whether the violation was only possible and did not happen. */
            potential: boolean;
        };
        /**
         * @description Known values of ReportPhase.
         * @enum {string}
         */
        ReportPhase: "dns" | "connection" | "application";
        /** @description Network Error Logging reports of a period. */
        NelReports: {
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["NelReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A network error or success, as a browser saw it. */
        NelReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Type of the network error, such as `tcp.timed_out`. */
            nelType: string;
            /**
             * @description Phase of the request in which it happened.
             * @enum {string}
             */
            phase: "dns" | "connection" | "application" | "";
            /** @description Network protocol, such as `h2`. */
            protocol: string;
            /** @description Request method. */
            method: string;
            /** @description Status code of the response, 0 without one. */
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
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["DeprecationReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description Use of a deprecated browser feature. */
        DeprecationReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Identifier of the browser feature. */
            featureId: string;
            /** @description Human-readable text of the browser. */
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
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["InterventionReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A request of the page that the browser did not honour. */
        InterventionReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Identifier of the browser feature. */
            featureId: string;
            /** @description Human-readable text of the browser. */
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
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["CrashReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A page that crashed. */
        CrashReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Why it crashed, such as `oom`. */
            reason: string;
            /** @description Whether it was a top-level page. */
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
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["CoepReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A violation of a Cross-Origin-Embedder-Policy. */
        CoepReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Kind of the violation, such as `corp`. */
            violation: string;
            /**
             * @description Whether the policy was enforced or only reported.
             * @enum {string}
             */
            disposition: "enforce" | "reporting" | "";
            /** @description Address of the blocked resource, or the keyword that stands for it. */
            blockedUri: string;
            /** @description Fetch destination of the resource. */
            destination: string;
        };
        /** @description Cross-Origin Opener Policy reports of a period. */
        CoopReports: {
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["CoopReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A violation of a Cross-Origin-Opener-Policy. */
        CoopReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Kind of the violation, such as `navigation-to-response`. */
            violation: string;
            /**
             * @description Whether the policy was enforced or only reported.
             * @enum {string}
             */
            disposition: "enforce" | "reporting" | "";
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
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["DmarcReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A row of a DMARC aggregate report. */
        DmarcReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
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
            /**
             * @description What the receiver did with the message.
             * @enum {string}
             */
            disposition: "none" | "quarantine" | "reject" | "pass" | "";
            /**
             * @description Result of the DKIM evaluation.
             * @enum {string}
             */
            dkim: "pass" | "fail" | "";
            /**
             * @description Result of the SPF evaluation.
             * @enum {string}
             */
            spf: "pass" | "fail" | "";
            /** @description Whether the message passed with an aligned identifier. */
            aligned: boolean;
            /** @description Why the receiver departed from the policy. */
            overrideReasons: components["schemas"]["DmarcOverrideReason"][];
            /** @description The DKIM signatures found. */
            dkimResults: components["schemas"]["DmarcDkimResult"][];
            /** @description The SPF checks made. */
            spfResults: components["schemas"]["DmarcSpfResult"][];
            /** @description The DMARC policy that the receiver found. */
            publishedPolicy: components["schemas"]["DmarcPublishedPolicy"];
            /** @description Organisation that sent the report. */
            reporter: string;
            /** @description E-mail address of the reporter. */
            reporterEmail: string;
            /** @description Identifier that the reporter gave the report. */
            reportId: string;
            /** @description Software that made the report. */
            generator: string;
            /**
             * Format: date-time
             * @description Begin of the reported period.
             */
            beginDate: string | null;
            /**
             * Format: date-time
             * @description End of the reported period.
             */
            endDate: string | null;
        };
        /** @description Why the receiver departed from the policy. */
        DmarcOverrideReason: {
            /** @description Kind of the reason. */
            type: string;
            /** @description What the receiver says of it. */
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
        /** @description The SPF checks made. */
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
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["TlsRptReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A policy of an SMTP TLS report, with its sessions. */
        TlsRptReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Domain the policy is for. */
            domain: string;
            /**
             * @description Kind of the policy.
             * @enum {string}
             */
            policyType: "tlsa" | "sts" | "no-policy-found" | "";
            /** @description The policy as it was found. */
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
            /** @description How to reach the reporter. */
            contactInfo: string;
            /** @description Identifier that the reporter gave the report. */
            reportId: string;
            /**
             * Format: date-time
             * @description Begin of the reported period.
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
            /** @description Sessions that failed so. */
            failedSessions: number | null;
            /** @description IP address of the sending server. */
            sendingMtaIp: string;
            /** @description IP address of the receiving server. */
            receivingIp: string;
            /** @description Host name of the receiving server. */
            receivingMxHostname: string;
            /** @description What the receiving server called itself. */
            receivingMxHelo: string;
            /** @description Code of the reason. */
            failureReasonCode: string;
            /** @description Where more is said of the failure. */
            additionalInformation: string;
        };
        /**
         * @description Known values of ReportCertType.
         * @enum {string}
         */
        ReportCertType: "certificate" | "precertificate";
        /** @description Certificate Transparency reports of a period. */
        CertificateTransparencyReports: {
            /** @description The records, newest first. There are at most 1000, unless the service is set to another number. */
            reports: components["schemas"]["CertificateTransparencyReport"][];
            /** @description Whether there are more than the answer holds. */
            truncated: boolean;
        };
        /** @description A certificate that appeared in Certificate Transparency logs. */
        CertificateTransparencyReport: {
            /** @description Identifier of the report, unique within the account and the type. */
            id: string;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Host names the certificate is for. */
            hostnames: string[];
            /** @description Common name of the certificate's subject. */
            commonName: string;
            /**
             * @description Whether it is a certificate or a precertificate.
             * @enum {string}
             */
            certType: "certificate" | "precertificate" | "";
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
             * @description Begin of its validity.
             */
            notBefore: string | null;
            /**
             * Format: date-time
             * @description End of its validity.
             */
            notAfter: string | null;
            /** @description The logs it was seen in. */
            logs: components["schemas"]["CertificateTransparencyLog"][];
        };
        /** @description The logs it was seen in. */
        CertificateTransparencyLog: {
            /** @description Name of the log. */
            name: string;
            /** @description Identifier of the log. */
            logId: string;
            /**
             * Format: date-time
             * @description When the log took it in.
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
        /** @description A type of report. */
        ReportType: {
            /** @description Identifier, as in paths. */
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
             * @description How many of the units.
             * @enum {integer}
             */
            amount: 1 | 2 | 3 | 4 | 6 | 12;
            /** @description One entry a day, oldest first; the last is today. */
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
            /** @description Reports by violated directive; `unknown` counts those without one and is always there. */
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
        /** @description What became of the reports of one type in the current month. */
        UsageMetric: {
            /** @description The report type. */
            type: components["schemas"]["ReportTypeName"];
            /** @description Reports taken in. */
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
            /** @description Whether the wizard is at work. */
            active: boolean;
            /** @description The policy it has built so far. */
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
            /** @description Whether alerts go out by e-mail. */
            emailAlertsEnabled: boolean;
            /** @description Whether alerts go to a webhook. */
            webhookEnabled: boolean;
            /** @description The webhook's address, or null. */
            webhookTarget: string | null;
            /** @description Findings before an alert goes out. */
            alertThreshold: number;
        };
        /** @description What a script, data or frame watch has seen. */
        WatchFindingList: {
            /** @description The findings, seen last first. */
            findings: components["schemas"]["WatchFinding"][];
        };
        /** @description A resource that a script, data or frame watch has seen. */
        WatchFinding: {
            /** @description Address of the blocked resource. */
            uri: string;
            /** @description How often it was seen. */
            count: number;
            /**
             * Format: date-time
             * @description When it was seen first.
             */
            firstSeen: string;
            /**
             * Format: date-time
             * @description When it was seen last.
             */
            lastSeen: string;
            /** @description The reports it comes from. */
            source: components["schemas"]["FindingSource"];
        };
        /**
         * @description The reports that a finding comes from.
         * @enum {string}
         */
        FindingSource: "csp" | "csp_integrity" | "integrity_policy";
        /** @description What a policy watch has seen. */
        PolicyWatchFindingList: {
            /** @description The policies, seen last first. */
            findings: components["schemas"]["PolicyWatchFinding"][];
        };
        /** @description A policy that a policy watch has seen. */
        PolicyWatchFinding: {
            /** @description The policy's text. */
            policy: string;
            /** @description Whether it was enforced. */
            enforced: boolean;
            /** @description How often it was seen. */
            count: number;
            /**
             * Format: date-time
             * @description When it was seen first.
             */
            firstSeen: string;
            /**
             * Format: date-time
             * @description When it was seen last.
             */
            lastSeen: string;
        };
        /** @description A certificate that the account's Certificate Transparency reports name. */
        Certificate: {
            /** @description The certificate in PEM (RFC 7468). */
            pem: string;
        };
        /** @description Events of the audit trail. */
        AuditLog: {
            /** @description The events, newest first. */
            events: components["schemas"]["AuditEvent"][];
            /** @description The cursor of the next page; null on the last one. */
            nextCursor: string | null;
            /** @description Whether there is a next page. */
            truncated: boolean;
        };
        /** @description Something that happened in an account. */
        AuditEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description Name of the event in camelCase, such as `apiKeyCreated`. */
            event: string;
            /** @description What happened, in words. */
            message: string;
            /** @description Identifier of the actor. */
            loggedById: string;
            /** @description E-mail address of the actor. */
            loggedByEmail: string;
            /** @description IP address of the request, or empty for background jobs. */
            requestIp: string;
        };
        /**
         * @description Where a blocked resource came from, seen from the page.
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
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `csp`.
             * @constant
             */
            type: "csp";
            /**
             * @description Whether the policy was enforced or only reported.
             * @enum {string}
             */
            action: "enforced" | "reportOnly" | "";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The violated directive. */
            directive: string;
            /** @description Address of the blocked resource, or the keyword that stands for it. */
            blockedUri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
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
            /** @description Hosts of the report's original policy that give cause for concern. */
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
            /** @description First characters of inline code, where the policy asked for them. */
            sample: string;
            /** @description Status code of the page, 0 without one. */
            statusCode: number;
            /** @description Part of such reports that the collector kept: this one stands for count ÷ samplingRate. Null if it kept all. */
            samplingRate: number | null;
        };
        /** @description A subresource and its hash, as seen by CSP Integrity. */
        ExportedCspIntegrityReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `csp_integrity`.
             * @constant
             */
            type: "csp_integrity";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
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
            /** @description Part of such reports that the collector kept: this one stands for count ÷ samplingRate. Null if it kept all. */
            samplingRate: number | null;
        };
        /** @description A violation of an Integrity-Policy. */
        ExportedIntegrityPolicyReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `integrity_policy`.
             * @constant
             */
            type: "integrity_policy";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /**
             * @description Whether the policy was enforced or only reported.
             * @enum {string}
             */
            action: "enforced" | "reportOnly" | "";
            /** @description Address of the blocked resource, or the keyword that stands for it. */
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
            /** @description Part of such reports that the collector kept: this one stands for count ÷ samplingRate. Null if it kept all. */
            samplingRate: number | null;
        };
        /** @description A violation of a Permissions Policy. */
        ExportedPermissionsPolicyReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `permissions_policy`.
             * @constant
             */
            type: "permissions_policy";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description The policy-controlled feature. */
            property: string;
            /**
             * @description Whether the policy was enforced or only reported.
             * @enum {string}
             */
            disposition: "enforce" | "report" | "";
            /** @description Human-readable text of the browser. */
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
            /** @description Whether the violation was only possible and did not happen. */
            potential: boolean;
            /** @description Part of such reports that the collector kept: this one stands for count ÷ samplingRate. Null if it kept all. */
            samplingRate: number | null;
        };
        /** @description A network error or success, as a browser saw it. */
        ExportedNelReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `nel`.
             * @constant
             */
            type: "nel";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Type of the network error, such as `tcp.timed_out`. */
            nelType: string;
            /**
             * @description Phase of the request in which it happened.
             * @enum {string}
             */
            phase: "dns" | "connection" | "application" | "";
            /** @description Network protocol, such as `h2`. */
            protocol: string;
            /** @description Request method. */
            method: string;
            /** @description Status code of the response, 0 without one. */
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
            /** @description Part of such reports that the collector kept: this one stands for count ÷ samplingRate. Null if it kept all. */
            samplingRate: number | null;
        };
        /** @description Use of a deprecated browser feature. */
        ExportedDeprecationReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `deprecation`.
             * @constant
             */
            type: "deprecation";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Identifier of the browser feature. */
            featureId: string;
            /** @description Human-readable text of the browser. */
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
            /** @description Part of such reports that the collector kept: this one stands for count ÷ samplingRate. Null if it kept all. */
            samplingRate: number | null;
        };
        /** @description A request of the page that the browser did not honour. */
        ExportedInterventionReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `intervention`.
             * @constant
             */
            type: "intervention";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Identifier of the browser feature. */
            featureId: string;
            /** @description Human-readable text of the browser. */
            message: string;
            /** @description Address of the script that caused the report. */
            sourceFile: string;
            /** @description Line in the source file, from 1. */
            lineNumber: number | null;
            /** @description Column in the source file, from 1. */
            columnNumber: number | null;
            /** @description Part of such reports that the collector kept: this one stands for count ÷ samplingRate. Null if it kept all. */
            samplingRate: number | null;
        };
        /** @description A page that crashed. */
        ExportedCrashReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `crash`.
             * @constant
             */
            type: "crash";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Why it crashed, such as `oom`. */
            reason: string;
            /** @description Whether it was a top-level page. */
            isTopLevel: boolean | null;
            /** @description Whether the page was visible or hidden. */
            visibilityState: string;
            /** @description The JavaScript call stack. */
            stack: string;
            /** @description Part of such reports that the collector kept: this one stands for count ÷ samplingRate. Null if it kept all. */
            samplingRate: number | null;
        };
        /** @description A violation of a Cross-Origin-Embedder-Policy. */
        ExportedCoepReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `coep`.
             * @constant
             */
            type: "coep";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Kind of the violation, such as `corp`. */
            violation: string;
            /**
             * @description Whether the policy was enforced or only reported.
             * @enum {string}
             */
            disposition: "enforce" | "reporting" | "";
            /** @description Address of the blocked resource, or the keyword that stands for it. */
            blockedUri: string;
            /** @description Fetch destination of the resource. */
            destination: string;
            /** @description Part of such reports that the collector kept: this one stands for count ÷ samplingRate. Null if it kept all. */
            samplingRate: number | null;
        };
        /** @description A violation of a Cross-Origin-Opener-Policy. */
        ExportedCoopReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `coop`.
             * @constant
             */
            type: "coop";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description Address of the page. */
            uri: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system or platform. */
            platform: string;
            /** @description Kind of the violation, such as `navigation-to-response`. */
            violation: string;
            /**
             * @description Whether the policy was enforced or only reported.
             * @enum {string}
             */
            disposition: "enforce" | "reporting" | "";
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
            /** @description Part of such reports that the collector kept: this one stands for count ÷ samplingRate. Null if it kept all. */
            samplingRate: number | null;
        };
        /** @description A row of a DMARC aggregate report. */
        ExportedDmarcReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `dmarc`.
             * @constant
             */
            type: "dmarc";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
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
            /**
             * @description What the receiver did with the message.
             * @enum {string}
             */
            disposition: "none" | "quarantine" | "reject" | "pass" | "";
            /**
             * @description Result of the DKIM evaluation.
             * @enum {string}
             */
            dkim: "pass" | "fail" | "";
            /**
             * @description Result of the SPF evaluation.
             * @enum {string}
             */
            spf: "pass" | "fail" | "";
            /** @description Whether the message passed with an aligned identifier. */
            aligned: boolean;
            /** @description Why the receiver departed from the policy. */
            overrideReasons: components["schemas"]["DmarcOverrideReason"][];
            /** @description The DKIM signatures found. */
            dkimResults: components["schemas"]["DmarcDkimResult"][];
            /** @description The SPF checks made. */
            spfResults: components["schemas"]["DmarcSpfResult"][];
            /** @description The DMARC policy that the receiver found. */
            publishedPolicy: components["schemas"]["DmarcPublishedPolicy"];
            /** @description Organisation that sent the report. */
            reporter: string;
            /** @description E-mail address of the reporter. */
            reporterEmail: string;
            /** @description Identifier that the reporter gave the report. */
            reportId: string;
            /** @description Software that made the report. */
            generator: string;
            /**
             * Format: date-time
             * @description Begin of the reported period.
             */
            beginDate: string | null;
            /**
             * Format: date-time
             * @description End of the reported period.
             */
            endDate: string | null;
            /** @description Who sent the mail: the organisation of its network, else the registrable domain of a DKIM signature or SPF check that passed, else the network itself. */
            sender: string;
        };
        /** @description A policy of an SMTP TLS report, with its sessions. */
        ExportedTlsRptReport: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `tls_rpt`.
             * @constant
             */
            type: "tls_rpt";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Domain the policy is for. */
            domain: string;
            /**
             * @description Kind of the policy.
             * @enum {string}
             */
            policyType: "tlsa" | "sts" | "no-policy-found" | "";
            /** @description The policy as it was found. */
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
            /** @description How to reach the reporter. */
            contactInfo: string;
            /** @description Identifier that the reporter gave the report. */
            reportId: string;
            /**
             * Format: date-time
             * @description Begin of the reported period.
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
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description Always `certificate_transparency`.
             * @constant
             */
            type: "certificate_transparency";
            /**
             * Format: date-time
             * @description When the report was made.
             */
            date: string;
            /** @description The original report as a JSON-encoded string. */
            raw: string;
            /** @description How many identical reports this record stands for. */
            count: number;
            /** @description Host names the certificate is for. */
            hostnames: string[];
            /** @description Common name of the certificate's subject. */
            commonName: string;
            /**
             * @description Whether it is a certificate or a precertificate.
             * @enum {string}
             */
            certType: "certificate" | "precertificate" | "";
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
             * @description Begin of its validity.
             */
            notBefore: string | null;
            /**
             * Format: date-time
             * @description End of its validity.
             */
            notAfter: string | null;
            /** @description The logs it was seen in. */
            logs: components["schemas"]["CertificateTransparencyLog"][];
        };
        /** @description Something that happened in an account. */
        ExportedAuditEvent: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description Name of the event in camelCase, such as `apiKeyCreated`. */
            event: string;
            /** @description What happened, in words. */
            message: string;
            /** @description Identifier of the actor. */
            loggedById: string;
            /** @description E-mail address of the actor. */
            loggedByEmail: string;
            /** @description IP address of the request, or empty for background jobs. */
            requestIp: string;
        };
        /** @description What a watch has found. */
        ExportedFinding: {
            /** @description Unique within what is exported, and the same in each export. */
            id: string;
            /**
             * @description What watches.
             * @enum {string}
             */
            product: "script" | "data" | "frame" | "policy";
            /** @description The domain that is watched. */
            site: string;
            /** @description Address of the blocked resource. */
            uri: string | null;
            /** @description The policy's text. */
            policy: string | null;
            /** @description How often it was seen. */
            count: number;
            /**
             * Format: date-time
             * @description When it was seen first.
             */
            firstSeen: string;
            /**
             * Format: date-time
             * @description When it was seen last.
             */
            lastSeen: string;
            source: components["schemas"]["FindingSource"] | null;
            /** @description Whether it was enforced. */
            enforced: boolean | null;
        };
    };
    responses: {
        /** @description Whose account it is. */
        Profile: {
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
        /** @description The answer is still the one with that `ETag`. */
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
                    /** @enum {unknown} */
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
                    /** @enum {unknown} */
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
                    /** @enum {unknown} */
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
                    /** @enum {unknown} */
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
                    /** @enum {unknown} */
                    error?: "Internal server error";
                };
            };
        };
        /** @description Where a site sends its reports. */
        Setup: {
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
                    /** @enum {unknown} */
                    error?: "Setup not found";
                };
            };
        };
        /** @description An account's plan. */
        Plan: {
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
        /** @description A team and its members. */
        Team: {
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
                    /** @enum {unknown} */
                    error?: "API access requires a Business plan or higher" | "A team API key is required";
                };
            };
        };
        /** @description Which reports are filtered out, and how the rest is sampled. */
        FilterConfiguration: {
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
        /** @description Content Security Policy reports of a period. */
        CspReports: {
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
                    /** @enum {unknown} */
                    error?: "API access requires a Business plan or higher" | "Threat Intelligence is not included in your plan";
                };
            };
        };
        /** @description CSP Integrity reports of a period. */
        CspIntegrityReports: {
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
        /** @description Integrity Policy reports of a period. */
        IntegrityPolicyReports: {
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
        /** @description Permissions Policy reports of a period. */
        PermissionsPolicyReports: {
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
        /** @description Network Error Logging reports of a period. */
        NelReports: {
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
        /** @description Deprecation reports of a period. */
        DeprecationReports: {
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
        /** @description Intervention reports of a period. */
        InterventionReports: {
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
        /** @description Crash reports of a period. */
        CrashReports: {
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
        /** @description Cross-Origin Embedder Policy reports of a period. */
        CoepReports: {
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
        /** @description Cross-Origin Opener Policy reports of a period. */
        CoopReports: {
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
        /** @description DMARC reports of a period. */
        DmarcReports: {
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
        /** @description SMTP TLS Reporting reports of a period. */
        TlsRptReports: {
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
        /** @description Certificate Transparency reports of a period. */
        CertificateTransparencyReports: {
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
        /** @description Reports of a period, in the form of their type. */
        AnyReports: {
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
                    /** @enum {unknown} */
                    error?: "Unknown report type";
                };
            };
        };
        /** @description The report types. */
        ReportTypeList: {
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
        /** @description Reports of one type by day. */
        Graph: {
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
                    /** @enum {unknown} */
                    error?: "API access requires a Business plan or higher" | "This period requires a paid plan";
                };
            };
        };
        /** @description Reports of the last seven days, by type. */
        LastSevenDays: {
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
        /** @description Reports of the current month by type. */
        Breakdown: {
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
        /** @description What became of the reports of the current month. */
        UsageMetrics: {
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
        /** @description Use of the monthly report quota. */
        Quota: {
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
        /** @description Saved Content Security Policies. */
        CspPolicyList: {
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
        /** @description A saved Content Security Policy. */
        CspPolicy: {
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
                    /** @enum {unknown} */
                    error?: "Policy not found";
                };
            };
        };
        /** @description State of the CSP Wizard, which builds a policy from the reports of a site. */
        CspWizard: {
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
        /** @description The domains that are enrolled in a Watch product. */
        WatchList: {
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
        /** @description What a script, data or frame watch has seen. */
        WatchFindingList: {
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
                    /** @enum {unknown} */
                    error?: "Domain is not enrolled";
                };
            };
        };
        /** @description What a policy watch has seen. */
        PolicyWatchFindingList: {
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
        /** @description A certificate that the account's Certificate Transparency reports name. */
        Certificate: {
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
                    /** @enum {unknown} */
                    error?: "Certificate not found";
                };
            };
        };
        /** @description Events of the audit trail. */
        AuditLog: {
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
        /** @description Reports of the type. */
        ExportedReports: {
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
                "application/json": (components["schemas"]["ExportedCspReport"] | components["schemas"]["ExportedCspIntegrityReport"] | components["schemas"]["ExportedIntegrityPolicyReport"] | components["schemas"]["ExportedPermissionsPolicyReport"] | components["schemas"]["ExportedNelReport"] | components["schemas"]["ExportedDeprecationReport"] | components["schemas"]["ExportedInterventionReport"] | components["schemas"]["ExportedCrashReport"] | components["schemas"]["ExportedCoepReport"] | components["schemas"]["ExportedCoopReport"] | components["schemas"]["ExportedDmarcReport"] | components["schemas"]["ExportedTlsRptReport"] | components["schemas"]["ExportedCertificateTransparencyReport"])[];
                /** @example {"id":"01a1f9d1-6b40-7c76-8b8f-000000000001","type":"csp","action":"enforced","date":"2026-11-20T11:25:00+00:00","uri":"https://www.example.com/checkout/payment","directive":"script-src-elem","blockedUri":"https://cdn.slider-update.example/tag.js","raw":"{\"age\":4137,\"body\":{\"blockedURL\":\"https://cdn.slider-update.example/tag.js\",\"disposition\":\"enforce\",\"documentURL\":\"https://www.example.com/checkout/payment\",\"effectiveDirective\":\"script-src-elem\",\"originalPolicy\":\"default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'\",\"statusCode\":200},\"type\":\"csp-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}","count":3,"browser":"Chrome","platform":"Windows","generatedDomain":0,"indicatorOfCompromise":1,"recentlyRegisteredDomain":1,"lowReputationDomain":0,"policyIocHosts":[],"policyConcernHosts":["js.adloom.example"],"suspicious":0,"sourceFile":"","lineNumber":null,"columnNumber":null,"sample":"","statusCode":200,"samplingRate":0.1} */
                "application/x-ndjson": string;
                /**
                 * @example id,type,action,date,uri,directive,blockedUri,raw,count,browser,platform,generatedDomain,indicatorOfCompromise,recentlyRegisteredDomain,lowReputationDomain,policyIocHosts,policyConcernHosts,suspicious,sourceFile,lineNumber,columnNumber,sample,statusCode,samplingRate
                 *     01a1f9d1-6b40-7c76-8b8f-000000000001,csp,enforced,2026-11-20T11:25:00+00:00,https://www.example.com/checkout/payment,script-src-elem,https://cdn.slider-update.example/tag.js,"{""age"":4137,""body"":{""blockedURL"":""https://cdn.slider-update.example/tag.js"",""disposition"":""enforce"",""documentURL"":""https://www.example.com/checkout/payment"",""effectiveDirective"":""script-src-elem"",""originalPolicy"":""default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'"",""statusCode"":200},""type"":""csp-violation"",""url"":""https://www.example.com/checkout/payment"",""user_agent"":""Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36""}",3,Chrome,Windows,0,1,1,0,[],"[""js.adloom.example""]",0,,,,,200,0.1
                 */
                "text/csv": string;
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
                    /** @enum {unknown} */
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
                    /** @enum {unknown} */
                    error?: "Unknown report type" | "Account not found";
                };
            };
        };
        /** @description The events of the account. */
        ExportedAuditLog: {
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
                "application/json": components["schemas"]["ExportedAuditEvent"][];
                /** @example {"id":"audit-2026-11-20-17","timestamp":"2026-11-20T09:54:41+00:00","event":"apiKeyCreated","message":"API key “dashboard” created","loggedById":"demo-team-user-1","loggedByEmail":"grace@example.com","requestIp":"198.51.100.19"} */
                "application/x-ndjson": string;
                /**
                 * @example id,timestamp,event,message,loggedById,loggedByEmail,requestIp
                 *     audit-2026-11-20-17,2026-11-20T09:54:41+00:00,apiKeyCreated,API key “dashboard” created,demo-team-user-1,grace@example.com,198.51.100.19
                 */
                "text/csv": string;
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
                    /** @enum {unknown} */
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
                    /** @enum {unknown} */
                    error?: "Account not found";
                };
            };
        };
        /** @description The findings of the account. */
        ExportedFindings: {
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
                "application/json": components["schemas"]["ExportedFinding"][];
                /** @example {"id":"script:www.example.com:1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f","product":"script","site":"www.example.com","uri":"https://cdn.slider-update.example/tag.js","policy":null,"count":213,"firstSeen":"2026-09-18T01:08:08+00:00","lastSeen":"2026-11-20T11:25:00+00:00","source":"csp","enforced":null} */
                "application/x-ndjson": string;
                /**
                 * @example id,product,site,uri,policy,count,firstSeen,lastSeen,source,enforced
                 *     script:www.example.com:1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f,script,www.example.com,https://cdn.slider-update.example/tag.js,,213,2026-09-18T01:08:08+00:00,2026-11-20T11:25:00+00:00,csp,
                 */
                "text/csv": string;
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
         * @description The first instant, by the date of what is exported: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
         * @example 2026-11-01
         */
        From: string | unknown | unknown;
        /**
         * @description The first instant behind the period: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
         * @example 2026-11-20T12:00:00Z
         */
        To: string | unknown | unknown;
        /**
         * @description The form; by `Accept` where it is left out, and NDJSON where that names none.
         * @example ndjson
         */
        Format: "ndjson" | "csv" | "json";
        /**
         * @description A cursor: what came behind it, oldest arrival first. Empty: from the oldest that is kept. `now`: nothing yet, only a cursor.
         * @example now
         */
        After: string;
        /**
         * @description With `after`: the most records of an answer.
         * @example 1000
         */
        Limit: number;
        /**
         * @description With `after`: whether each NDJSON record ends with a field `cursor`, which leads on behind it.
         * @example true
         */
        Cursors: boolean;
        /**
         * @description Whose: an internal token has to say it, as it has no account of its own. A key is refused every other account.
         * @example demo-team
         */
        Account: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Names the request in the log of the service. One that was sent along is kept.
         * @example 2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11
         */
        "X-Request-Id": string;
        /**
         * @description The content type is the one that is declared.
         * @example nosniff
         */
        "X-Content-Type-Options": "nosniff";
        /**
         * @description What is left of the key's window: `r` requests for `t` more seconds.
         * @example "default";r=118;t=42
         */
        RateLimit: string;
        /**
         * @description The limit: `q` requests in a window of `w` seconds.
         * @example "default";q=120;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Changes whenever the answer may have changed. To be sent back as `If-None-Match`.
         * @example W/"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE"
         */
        ETag: string;
        /**
         * @description A client may keep the answer, and asks with `If-None-Match` before it uses it again.
         * @example private, no-cache
         */
        "Cache-Control": "private, no-cache";
        /**
         * @description Errors are not kept.
         * @example no-store
         */
        "Cache-Control-Error": "no-store";
        /**
         * @description The request headers that the answer depends on.
         * @example Authorization, Accept-Encoding
         */
        Vary: "Authorization, Accept-Encoding";
        /**
         * @description Seconds until the key's window ends.
         * @example 42
         */
        "Retry-After": number;
        /**
         * @description The scheme that is asked for; with `error="invalid_token"` when a token was sent.
         * @example Bearer realm="v1", error="invalid_token"
         */
        "WWW-Authenticate": string;
        /**
         * @description The one method there is.
         * @example GET
         */
        Allow: "GET";
        /**
         * @description The request headers that an export depends on.
         * @example Authorization, Accept, Accept-Encoding
         */
        "Vary-Export": "Authorization, Accept, Accept-Encoding";
        /**
         * @description A name for the file.
         * @example attachment; filename="sightline-csp-2026-11-20.ndjson"
         */
        "Content-Disposition": string;
        /**
         * @description With `after`: the address of what comes next, as `rel="next"` (RFC 8288).
         * @example </export/reports/csp?after=MS5lM3I0LTktX3FhWjEuNDI>; rel="next"
         */
        Link: string;
        /**
         * @description With `after`: the cursor to ask with next. It stays valid for ever.
         * @example MS5lM3I0LTktX3FhWjEuNDI
         */
        "Sightline-Cursor": string;
        /**
         * @description Reports behind the cursor were removed, or are not shown any more, because of their age.
         * @example true
         */
        "Sightline-Gap": "true";
        /**
         * @description With `after`, where nothing has come: seconds until it is worth asking again.
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
            200: components["responses"]["Profile"];
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
            200: components["responses"]["Setup"];
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
            200: components["responses"]["Plan"];
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
            200: components["responses"]["Team"];
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
            200: components["responses"]["FilterConfiguration"];
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
                 * @description Host names of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                blockedHostnames?: string[];
                /**
                 * @description Paths of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
                 * @description The original policy; runs of white space count as one space.
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
                 * @description `true`: only reports with any threat-intelligence signal; the single ones are then ignored. Needs the Threat Intelligence feature.
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
            200: components["responses"]["CspReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Host names of the subresource; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "js.adloom.example"
                 *     ]
                 */
                subresourceHostnames?: string[];
                /**
                 * @description Paths of the subresource; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "/v3/*"
                 *     ]
                 */
                subresourcePaths?: string[];
                /**
                 * @description Hashes of the subresource. Comma-separated; given twice, the lists join.
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
                 * @description `true`: only reports with any threat-intelligence signal; the single ones are then ignored. Needs the Threat Intelligence feature.
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
            200: components["responses"]["CspIntegrityReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Host names of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                blockedHostnames?: string[];
                /**
                 * @description Paths of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
                 * @description `true`: only reports with any threat-intelligence signal; the single ones are then ignored. Needs the Threat Intelligence feature.
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
            200: components["responses"]["IntegrityPolicyReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
            200: components["responses"]["PermissionsPolicyReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
            200: components["responses"]["NelReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
            200: components["responses"]["DeprecationReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
            200: components["responses"]["InterventionReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
            200: components["responses"]["CrashReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                paths?: string[];
                /**
                 * @description Host names of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                blockedHostnames?: string[];
                /**
                 * @description Paths of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
            200: components["responses"]["CoepReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
            200: components["responses"]["CoopReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
            200: components["responses"]["DmarcReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
            200: components["responses"]["TlsRptReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
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
            200: components["responses"]["CertificateTransparencyReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`.
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
                 * @description Host names of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp`, `integrity_policy`, `coep`.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                blockedHostnames?: string[];
                /**
                 * @description Paths of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp`, `integrity_policy`, `coep`.
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
                 * @description The original policy; runs of white space count as one space. Applies to `csp`.
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
                 * @description `true`: only reports with any threat-intelligence signal; the single ones are then ignored. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                anyThreatIntel?: boolean;
                /**
                 * @description Host names of the subresource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp_integrity`.
                 * @example [
                 *       "js.adloom.example"
                 *     ]
                 */
                subresourceHostnames?: string[];
                /**
                 * @description Paths of the subresource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp_integrity`.
                 * @example [
                 *       "/v3/*"
                 *     ]
                 */
                subresourcePaths?: string[];
                /**
                 * @description Hashes of the subresource. Comma-separated; given twice, the lists join. Applies to `csp_integrity`.
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
            200: components["responses"]["AnyReports"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
            200: components["responses"]["ReportTypeList"];
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
            200: components["responses"]["Graph"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
            200: components["responses"]["LastSevenDays"];
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
            200: components["responses"]["Breakdown"];
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
            200: components["responses"]["UsageMetrics"];
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
            200: components["responses"]["Quota"];
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
            200: components["responses"]["CspPolicyList"];
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
            200: components["responses"]["CspPolicy"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
            200: components["responses"]["CspWizard"];
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
            200: components["responses"]["WatchList"];
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
            200: components["responses"]["WatchList"];
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
            200: components["responses"]["WatchList"];
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
            200: components["responses"]["WatchList"];
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
            200: components["responses"]["WatchFindingList"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
            200: components["responses"]["WatchFindingList"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
            200: components["responses"]["WatchFindingList"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
            200: components["responses"]["PolicyWatchFindingList"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
            200: components["responses"]["Certificate"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description Events a page, 1 to 1000. Larger values become 1000, and so does what is no such number, or empty.
                 * @example 100
                 */
                limit?: number | string;
                /**
                 * @description `nextCursor` of the page before; left out for the first page.
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
            200: components["responses"]["AuditLog"];
            304: components["responses"]["NotModified"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description The first instant, by the date of what is exported: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The first instant behind the period: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-20T12:00:00Z
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description The form; by `Accept` where it is left out, and NDJSON where that names none.
                 * @example ndjson
                 */
                format?: components["parameters"]["Format"];
                /**
                 * @description A cursor: what came behind it, oldest arrival first. Empty: from the oldest that is kept. `now`: nothing yet, only a cursor.
                 * @example now
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description With `after`: the most records of an answer.
                 * @example 1000
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description With `after`: whether each NDJSON record ends with a field `cursor`, which leads on behind it.
                 * @example true
                 */
                cursors?: components["parameters"]["Cursors"];
                /**
                 * @description Whose: an internal token has to say it, as it has no account of its own. A key is refused every other account.
                 * @example demo-team
                 */
                account?: components["parameters"]["Account"];
                /**
                 * @description Whether the policy was enforced or only reported. Applies to `csp`, `integrity_policy`.
                 * @example enforced
                 */
                action?: components["schemas"]["ReportAction"];
                /**
                 * @description Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                hostnames?: string[];
                /**
                 * @description Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`.
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
                 * @description Host names of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp`, `integrity_policy`, `coep`.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                blockedHostnames?: string[];
                /**
                 * @description Paths of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp`, `integrity_policy`, `coep`.
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
                 * @description The original policy; runs of white space count as one space. Applies to `csp`.
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
                 * @description `true`: only reports with any threat-intelligence signal; the single ones are then ignored. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                anyThreatIntel?: boolean;
                /**
                 * @description Where the blocked resource came from, any of a list. Comma-separated; given twice, the lists join. Applies to `csp`, `integrity_policy`, `coep`.
                 * @example [
                 *       "extension",
                 *       "browser"
                 *     ]
                 */
                sourceClass?: components["schemas"]["SourceClass"][];
                /**
                 * @description Host names of the subresource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp_integrity`.
                 * @example [
                 *       "js.adloom.example"
                 *     ]
                 */
                subresourceHostnames?: string[];
                /**
                 * @description Paths of the subresource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp_integrity`.
                 * @example [
                 *       "/v3/*"
                 *     ]
                 */
                subresourcePaths?: string[];
                /**
                 * @description Hashes of the subresource. Comma-separated; given twice, the lists join. Applies to `csp_integrity`.
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
                 * @description Whether the policy was enforced or only reported. Applies to `permissions_policy`, `coep`, `coop`, `dmarc`.
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
                 * @description Why the page crashed. Applies to `crash`.
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
                 * @description Who sent the mail: the whole name. Applies to `dmarc`.
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
                 * @description Leaves out reports that match. Whether the policy was enforced or only reported. Applies to `csp`, `integrity_policy`.
                 * @example enforced
                 */
                "not.action"?: components["schemas"]["ReportAction"];
                /**
                 * @description Leaves out reports that match. Host names of the page, or what takes its place; `*` stands for any characters. Comma-separated; given twice, the lists join.
                 * @example [
                 *       "www.example.com",
                 *       "*.shop.example.com"
                 *     ]
                 */
                "not.hostnames"?: string[];
                /**
                 * @description Leaves out reports that match. Paths of the page; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`.
                 * @example [
                 *       "/checkout/*"
                 *     ]
                 */
                "not.paths"?: string[];
                /**
                 * @description Leaves out reports that match. The violated directive. Applies to `csp`.
                 * @example script-src-elem
                 */
                "not.effectiveDirective"?: string;
                /**
                 * @description Leaves out reports that match. Host names of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp`, `integrity_policy`, `coep`.
                 * @example [
                 *       "*.slider-update.example"
                 *     ]
                 */
                "not.blockedHostnames"?: string[];
                /**
                 * @description Leaves out reports that match. Paths of the blocked resource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp`, `integrity_policy`, `coep`.
                 * @example [
                 *       "*\/tag.js"
                 *     ]
                 */
                "not.blockedPaths"?: string[];
                /**
                 * @description Leaves out reports that match. Name of the browser. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`.
                 * @example Chrome
                 */
                "not.browser"?: string;
                /**
                 * @description Leaves out reports that match. Name of the operating system or platform. Applies to `csp`, `csp_integrity`, `integrity_policy`, `permissions_policy`, `nel`, `deprecation`, `intervention`, `crash`, `coep`, `coop`.
                 * @example Windows
                 */
                "not.platform"?: string;
                /**
                 * @description Leaves out reports that match. Identifier of one report.
                 * @example 01a1f9d1-6b40-7c76-8b8f-000000000001
                 */
                "not.id"?: string;
                /**
                 * @description Leaves out reports that match. Identifier of the CSP policy. Applies to `csp`.
                 * @example main-site
                 */
                "not.policyId"?: string;
                /**
                 * @description Leaves out reports that match. The original policy; runs of white space count as one space. Applies to `csp`.
                 * @example default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'
                 */
                "not.policy"?: string;
                /**
                 * @description Leaves out reports that match. `true`: only matches of threat intelligence. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                "not.ioc"?: boolean;
                /**
                 * @description Leaves out reports that match. `true`: only algorithmically generated domains. Needs the Threat Intelligence feature. Applies to `csp`.
                 * @example true
                 */
                "not.generatedDomain"?: boolean;
                /**
                 * @description Leaves out reports that match. `true`: only domains on the Suspicious watch-list. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                "not.suspicious"?: boolean;
                /**
                 * @description Leaves out reports that match. `true`: only newly registered domains. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                "not.newlyRegisteredDomain"?: boolean;
                /**
                 * @description Leaves out reports that match. Only hosts with at most this reputation score, 0 to 100. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example 30
                 */
                "not.domainReputationScore"?: number;
                /**
                 * @description Leaves out reports that match. `true`: only reports with any threat-intelligence signal; the single ones are then ignored. Needs the Threat Intelligence feature. Applies to `csp`, `csp_integrity`, `integrity_policy`.
                 * @example true
                 */
                "not.anyThreatIntel"?: boolean;
                /**
                 * @description Leaves out reports that match. Where the blocked resource came from, any of a list. Comma-separated; given twice, the lists join. Applies to `csp`, `integrity_policy`, `coep`.
                 * @example [
                 *       "extension",
                 *       "browser"
                 *     ]
                 */
                "not.sourceClass"?: components["schemas"]["SourceClass"][];
                /**
                 * @description Leaves out reports that match. Host names of the subresource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp_integrity`.
                 * @example [
                 *       "js.adloom.example"
                 *     ]
                 */
                "not.subresourceHostnames"?: string[];
                /**
                 * @description Leaves out reports that match. Paths of the subresource; `*` stands for any characters. Comma-separated; given twice, the lists join. Applies to `csp_integrity`.
                 * @example [
                 *       "/v3/*"
                 *     ]
                 */
                "not.subresourcePaths"?: string[];
                /**
                 * @description Leaves out reports that match. Hashes of the subresource. Comma-separated; given twice, the lists join. Applies to `csp_integrity`.
                 * @example [
                 *       "sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c="
                 *     ]
                 */
                "not.subresourceHashes"?: string[];
                /**
                 * @description Leaves out reports that match. Fetch destination of the resource. Applies to `csp_integrity`, `integrity_policy`, `coep`.
                 * @example script
                 */
                "not.destination"?: string;
                /**
                 * @description Leaves out reports that match. Whether the policy was enforced or only reported. Applies to `permissions_policy`, `coep`, `coop`, `dmarc`.
                 * @example enforce
                 */
                "not.disposition"?: components["schemas"]["PermissionsPolicyReportDisposition"] | components["schemas"]["CoepReportDisposition"] | components["schemas"]["DmarcReportDisposition"];
                /**
                 * @description Leaves out reports that match. The policy-controlled feature. Applies to `permissions_policy`.
                 * @example geolocation
                 */
                "not.property"?: string;
                /**
                 * @description Leaves out reports that match. Type of the network error. Applies to `nel`.
                 * @example tcp.timed_out
                 */
                "not.nelType"?: string;
                /**
                 * @description Leaves out reports that match. Phase of the request. Applies to `nel`.
                 * @example connection
                 */
                "not.phase"?: components["schemas"]["ReportPhase"];
                /**
                 * @description Leaves out reports that match. Part of the autonomous system's organisation. Applies to `nel`, `dmarc`.
                 * @example Example
                 */
                "not.organisation"?: string;
                /**
                 * @description Leaves out reports that match. IP address of the server. Applies to `nel`.
                 * @example 192.0.2.10
                 */
                "not.serverIp"?: string;
                /**
                 * @description Leaves out reports that match. Part of the browser's message. Applies to `deprecation`, `intervention`.
                 * @example deprecated
                 */
                "not.message"?: string;
                /**
                 * @description Leaves out reports that match. Identifier of the browser feature. Applies to `deprecation`, `intervention`.
                 * @example PrefixedStorageInfo
                 */
                "not.featureId"?: string;
                /**
                 * @description Leaves out reports that match. Why the page crashed. Applies to `crash`.
                 * @example oom
                 */
                "not.reason"?: string;
                /**
                 * @description Leaves out reports that match. Kind of the violation. Applies to `coep`, `coop`.
                 * @example corp
                 */
                "not.violation"?: string;
                /**
                 * @description Leaves out reports that match. Whether the message was aligned. Applies to `dmarc`.
                 * @example false
                 */
                "not.aligned"?: boolean;
                /**
                 * @description Leaves out reports that match. Result of the DKIM evaluation. Applies to `dmarc`.
                 * @example fail
                 */
                "not.dkim"?: components["schemas"]["ReportDkim"];
                /**
                 * @description Leaves out reports that match. Result of the SPF evaluation. Applies to `dmarc`.
                 * @example fail
                 */
                "not.spf"?: components["schemas"]["ReportSpf"];
                /**
                 * @description Leaves out reports that match. Who sent the mail: the whole name. Applies to `dmarc`.
                 * @example mailing.example
                 */
                "not.sender"?: string;
                /**
                 * @description Leaves out reports that match. IP address of the sender. Applies to `dmarc`.
                 * @example 198.51.100.7
                 */
                "not.sourceIp"?: string;
                /**
                 * @description Leaves out reports that match. Network of the sender's address: an IPv4 /24 or an IPv6 /48. Applies to `dmarc`.
                 * @example 198.51.100.0/24
                 */
                "not.sourceNetwork"?: string;
                /**
                 * @description Leaves out reports that match. Organisation that sent the report. Applies to `dmarc`, `tls_rpt`.
                 * @example Example Mail
                 */
                "not.reporter"?: string;
                /**
                 * @description Leaves out reports that match. Kind of the policy. Applies to `tls_rpt`.
                 * @example sts
                 */
                "not.policyType"?: string;
                /**
                 * @description Leaves out reports that match. Kind of a failure. Applies to `tls_rpt`.
                 * @example certificate-expired
                 */
                "not.resultType"?: string;
                /**
                 * @description Leaves out reports that match. Whether sessions failed. Applies to `tls_rpt`.
                 * @example true
                 */
                "not.hasFailures"?: boolean;
                /**
                 * @description Leaves out reports that match. Whether it is a certificate or a precertificate. Applies to `certificate_transparency`.
                 * @example certificate
                 */
                "not.certType"?: components["schemas"]["ReportCertType"];
                /**
                 * @description Leaves out reports that match. Part of the issuer's distinguished name. Applies to `certificate_transparency`.
                 * @example Harbour
                 */
                "not.issuer"?: string;
                /**
                 * @description Leaves out reports that match. SHA-256 of the public key info. Applies to `certificate_transparency`.
                 * @example f5a05d2c4d1dde8bea8daeb91f0fb12cc6d2b8234712ed28a08a9353ba9023c9
                 */
                "not.sha256Spki"?: string;
            };
            header?: never;
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
            200: components["responses"]["ExportedReports"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description The first instant, by the date of what is exported: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The first instant behind the period: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-20T12:00:00Z
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description The form; by `Accept` where it is left out, and NDJSON where that names none.
                 * @example ndjson
                 */
                format?: components["parameters"]["Format"];
                /**
                 * @description A cursor: what came behind it, oldest arrival first. Empty: from the oldest that is kept. `now`: nothing yet, only a cursor.
                 * @example now
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description With `after`: the most records of an answer.
                 * @example 1000
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description With `after`: whether each NDJSON record ends with a field `cursor`, which leads on behind it.
                 * @example true
                 */
                cursors?: components["parameters"]["Cursors"];
                /**
                 * @description Whose: an internal token has to say it, as it has no account of its own. A key is refused every other account.
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
            200: components["responses"]["ExportedAuditLog"];
            /** @description Invalid path or query parameters; the error names the first. */
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
                 * @description The first instant, by the date of what is exported: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The first instant behind the period: ISO 8601 with an offset or `Z`, or a day, which stands for its beginning in UTC.
                 * @example 2026-11-20T12:00:00Z
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description The form; by `Accept` where it is left out, and NDJSON where that names none.
                 * @example ndjson
                 */
                format?: components["parameters"]["Format"];
                /**
                 * @description A cursor: what came behind it, oldest arrival first. Empty: from the oldest that is kept. `now`: nothing yet, only a cursor.
                 * @example now
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description With `after`: the most records of an answer.
                 * @example 1000
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description With `after`: whether each NDJSON record ends with a field `cursor`, which leads on behind it.
                 * @example true
                 */
                cursors?: components["parameters"]["Cursors"];
                /**
                 * @description Whose: an internal token has to say it, as it has no account of its own. A key is refused every other account.
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
            200: components["responses"]["ExportedFindings"];
            /** @description Invalid path or query parameters; the error names the first. */
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
