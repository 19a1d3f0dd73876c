// Printed by `npm run codegen` from openapi.yaml. Changes here are overwritten.
export const responses = {
 "getMe200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "PersonalAccount": {
    "type": "personal",
    "email": "ada@example.com"
   },
   "TeamAccount": {
    "type": "team",
    "teamId": "demo-team",
    "teamName": "Example Web Team"
   }
  }
 },
 "NotModified": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {}
 },
 "Unauthorized": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "Cache-Control": "no-store",
   "WWW-Authenticate": "Bearer realm=\"v1\", error=\"invalid_token\""
  },
  "bodies": {
   "example": {
    "error": "Unauthorized"
   }
  }
 },
 "NoApiAccess": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "API access requires a Business plan or higher"
   }
  }
 },
 "MethodNotAllowed": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "Cache-Control": "no-store",
   "Allow": "GET"
  },
  "bodies": {
   "example": {
    "error": "Method not allowed"
   }
  }
 },
 "TooManyRequests": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store",
   "Retry-After": "42"
  },
  "bodies": {
   "example": {
    "error": "Too many requests"
   }
  }
 },
 "InternalServerError": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Internal server error"
   }
  }
 },
 "getSetup200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "Setup": {
    "reportUri": {
     "enforce": "https://demo-team.collect.example/r/csp/enforced",
     "reportOnly": "https://demo-team.collect.example/r/csp/reportOnly",
     "wizard": "https://demo-team.collect.example/r/csp/wizard"
    },
    "reportingApi": {
     "group": "default",
     "max_age": 10886400,
     "endpoints": [
      {
       "url": "https://demo-team.collect.example/a/d/g"
      }
     ],
     "include_subdomains": true
    },
    "nel": {
     "report_to": "default",
     "max_age": 2592000,
     "include_subdomains": true
    },
    "dmarc": "dmarc@demo-team.collect.example",
    "tlsRpt": "tls-rpt@demo-team.collect.example"
   }
  }
 },
 "SetupNotFound": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Setup not found"
   }
  }
 },
 "getPlan200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "Plan": {
    "plan": "business-1m",
    "name": "Business",
    "status": "active",
    "reportQuota": 1000000,
    "collectHosts": 50,
    "dataRetentionDays": 90,
    "features": {
     "support": true,
     "teams": true,
     "blockedWatch": [
      "scriptWatch",
      "dataWatch",
      "frameWatch",
      "policyWatch"
     ],
     "webhooks": true,
     "clientReputationFilter": true,
     "threatIntelligence": true,
     "integrityFeatures": [
      "cspIntegrity",
      "integrityPolicy"
     ],
     "pciDss": true,
     "wildcardDomains": true
    }
   }
  }
 },
 "getTeam200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "Team": {
    "teamName": "Example Web Team",
    "quotaLimit": 1000000,
    "require2fa": true,
    "members": [
     {
      "email": "grace@example.com",
      "role": "owner"
     },
     {
      "email": "alan@example.com",
      "role": "member"
     }
    ]
   }
  }
 },
 "ATeamAPIKeyIsRequired": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "APIAccessRequiresABusinessPlanOrHigher": {
    "error": "API access requires a Business plan or higher"
   },
   "ATeamAPIKeyIsRequired": {
    "error": "A team API key is required"
   }
  }
 },
 "getFilters200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "FilterConfiguration": {
    "global": {
     "sites": [
      "example.com",
      "*.example.com"
     ],
     "removeReferrer": true,
     "removeQueryString": true,
     "minimumClientReputation": 0
    },
    "advanced": {
     "browserExtensions": true,
     "unactionableReports": true,
     "inlineEval": false,
     "blockedHosts": [
      "*.extension.example"
     ],
     "blockedSchemes": [
      "chrome-extension",
      "moz-extension"
     ],
     "pagePaths": [
      "/internal/*"
     ]
    },
    "certificateTransparency": {
     "ignoredHostnames": [
      "staging.example.com"
     ],
     "ignoredIssuers": [
      "Example Internal CA"
     ],
     "ignorePrecertificates": false
    },
    "samplingRates": {
     "csp": 100,
     "csp_integrity": 10,
     "integrity_policy": 100,
     "permissions_policy": 100,
     "nel": 100,
     "deprecation": 100,
     "intervention": 100,
     "crash": 100,
     "coep": 100,
     "coop": 100,
     "dmarc": 100,
     "tls_rpt": 100,
     "certificate_transparency": 100,
     "wizard": 1
    }
   }
  }
 },
 "listCspReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "CspReports": {
    "reports": [
     {
      "action": "enforced",
      "date": "2026-11-20T11:25:00+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "directive": "script-src-elem",
      "blockedUri": "https://cdn.slider-update.example/tag.js",
      "raw": "{\"age\":4137,\"body\":{\"blockedURL\":\"https://cdn.slider-update.example/tag.js\",\"disposition\":\"enforce\",\"documentURL\":\"https://www.example.com/checkout/payment\",\"effectiveDirective\":\"script-src-elem\",\"originalPolicy\":\"default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'\",\"statusCode\":200},\"type\":\"csp-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "generatedDomain": 0,
      "indicatorOfCompromise": 1,
      "recentlyRegisteredDomain": 1,
      "lowReputationDomain": 0,
      "policyIocHosts": [],
      "policyConcernHosts": [
       "js.adloom.example"
      ],
      "suspicious": 0
     }
    ],
    "truncated": false
   }
  }
 },
 "listCspReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterSubresourceHostnamesDoesNotApplyToReportTypeCsp": {
    "error": "Parameter subresourceHostnames does not apply to report type csp"
   }
  }
 },
 "ThreatIntelligenceIsNotIncludedInYourPlan": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "APIAccessRequiresABusinessPlanOrHigher": {
    "error": "API access requires a Business plan or higher"
   },
   "ThreatIntelligenceIsNotIncludedInYourPlan": {
    "error": "Threat Intelligence is not included in your plan"
   }
  }
 },
 "listCspIntegrityReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "CspIntegrityReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000002",
      "date": "2026-11-20T11:21:40+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"documentURL\":\"https://www.example.com/checkout/payment\",\"subresourceURL\":\"https://js.adloom.example/v3/loader.js\",\"hash\":\"sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c=\",\"destination\":\"script\",\"type\":\"subresource\"},\"type\":\"csp-hash\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "subresourceUri": "https://js.adloom.example/v3/loader.js",
      "hash": "sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c=",
      "destination": "script",
      "resourceType": "subresource",
      "indicatorOfCompromise": 0,
      "recentlyRegisteredDomain": 0,
      "lowReputationDomain": 0,
      "suspicious": 0
     }
    ],
    "truncated": false
   }
  }
 },
 "listCspIntegrityReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypeCspIntegrity": {
    "error": "Parameter action does not apply to report type csp_integrity"
   }
  }
 },
 "listIntegrityPolicyReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "IntegrityPolicyReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000003",
      "date": "2026-11-20T11:17:02+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"documentURL\":\"https://www.example.com/checkout/payment\",\"blockedURL\":\"https://js.adloom.example/v3/loader.js\",\"destination\":\"script\",\"reportOnly\":true},\"type\":\"integrity-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "action": "reportOnly",
      "blockedUri": "https://js.adloom.example/v3/loader.js",
      "destination": "script",
      "indicatorOfCompromise": 0,
      "recentlyRegisteredDomain": 0,
      "lowReputationDomain": 0,
      "suspicious": 0
     }
    ],
    "truncated": false
   }
  }
 },
 "listIntegrityPolicyReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterEffectiveDirectiveDoesNotApplyToReportTypeIntegrityPolicy": {
    "error": "Parameter effectiveDirective does not apply to report type integrity_policy"
   }
  }
 },
 "listPermissionsPolicyReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "PermissionsPolicyReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000004",
      "date": "2026-11-20T10:58:13+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"featureId\":\"geolocation\",\"disposition\":\"enforce\",\"message\":\"Permissions policy violation: geolocation is not allowed in this document.\",\"sourceFile\":\"https://www.example.com/assets/main.js\",\"lineNumber\":299,\"columnNumber\":32,\"allowAttribute\":\"\",\"srcAttribute\":\"\"},\"type\":\"permissions-policy-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "property": "geolocation",
      "disposition": "enforce",
      "message": "Permissions policy violation: geolocation is not allowed in this document.",
      "sourceFile": "https://www.example.com/assets/main.js",
      "lineNumber": 299,
      "columnNumber": 32,
      "allowAttribute": "",
      "srcAttribute": "",
      "potential": false
     }
    ],
    "truncated": false
   }
  }
 },
 "listPermissionsPolicyReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypePermissionsPolicy": {
    "error": "Parameter action does not apply to report type permissions_policy"
   }
  }
 },
 "listNelReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "NelReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000005",
      "date": "2026-11-20T10:41:55+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"sampling_fraction\":0.5,\"referrer\":\"https://www.example.com/\",\"server_ip\":\"198.51.100.4\",\"protocol\":\"h2\",\"method\":\"GET\",\"status_code\":0,\"elapsed_time\":30012,\"phase\":\"connection\",\"type\":\"tcp.timed_out\"},\"type\":\"network-error\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "nelType": "tcp.timed_out",
      "phase": "connection",
      "protocol": "h2",
      "method": "GET",
      "statusCode": 0,
      "serverIp": "198.51.100.4",
      "referrer": "https://www.example.com/",
      "elapsedTime": 30012,
      "samplingFraction": 0.5,
      "organisation": "Meridian Edge Networks"
     }
    ],
    "truncated": false
   }
  }
 },
 "listNelReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypeNel": {
    "error": "Parameter action does not apply to report type nel"
   }
  }
 },
 "listDeprecationReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "DeprecationReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000006",
      "date": "2026-11-20T10:30:00+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"id\":\"UnloadHandler\",\"message\":\"Unload event listeners are deprecated and will be removed.\",\"anticipatedRemoval\":\"2027-03-01\",\"sourceFile\":\"https://www.example.com/assets/main.js\",\"lineNumber\":299,\"columnNumber\":32},\"type\":\"deprecation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "featureId": "UnloadHandler",
      "message": "Unload event listeners are deprecated and will be removed.",
      "sourceFile": "https://www.example.com/assets/main.js",
      "lineNumber": 299,
      "columnNumber": 32,
      "anticipatedRemoval": "2027-03-01"
     }
    ],
    "truncated": false
   }
  }
 },
 "listDeprecationReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypeDeprecation": {
    "error": "Parameter action does not apply to report type deprecation"
   }
  }
 },
 "listInterventionReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "InterventionReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000007",
      "date": "2026-11-20T10:12:44+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"id\":\"AudioContextStartBlocked\",\"message\":\"The AudioContext was not allowed to start before a gesture of the user.\",\"sourceFile\":\"https://www.example.com/assets/main.js\",\"lineNumber\":299,\"columnNumber\":32},\"type\":\"intervention\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "featureId": "AudioContextStartBlocked",
      "message": "The AudioContext was not allowed to start before a gesture of the user.",
      "sourceFile": "https://www.example.com/assets/main.js",
      "lineNumber": 299,
      "columnNumber": 32
     }
    ],
    "truncated": false
   }
  }
 },
 "listInterventionReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypeIntervention": {
    "error": "Parameter action does not apply to report type intervention"
   }
  }
 },
 "listCrashReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "CrashReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000008",
      "date": "2026-11-20T09:47:31+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"reason\":\"oom\",\"is_top_level\":true,\"visibility_state\":\"visible\"},\"type\":\"crash\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "reason": "oom",
      "isTopLevel": true,
      "visibilityState": "visible",
      "stack": ""
     }
    ],
    "truncated": false
   }
  }
 },
 "listCrashReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypeCrash": {
    "error": "Parameter action does not apply to report type crash"
   }
  }
 },
 "listCoepReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "CoepReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000009",
      "date": "2026-11-20T09:30:24+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"type\":\"corp\",\"blockedURL\":\"https://img.brightpath.example/logo.png\",\"destination\":\"image\",\"disposition\":\"reporting\"},\"type\":\"coep\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "violation": "corp",
      "disposition": "reporting",
      "blockedUri": "https://img.brightpath.example/logo.png",
      "destination": "image"
     }
    ],
    "truncated": false
   }
  }
 },
 "listCoepReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypeCoep": {
    "error": "Parameter action does not apply to report type coep"
   }
  }
 },
 "listCoopReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "CoopReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000010",
      "date": "2026-11-20T09:05:44+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"type\":\"navigation-to-response\",\"disposition\":\"enforce\",\"effectivePolicy\":\"same-origin\",\"previousResponseURL\":\"https://www.example.com/\",\"referrer\":\"https://www.example.com/\"},\"type\":\"coop\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "violation": "navigation-to-response",
      "disposition": "enforce",
      "effectivePolicy": "same-origin",
      "previousResponseUri": "https://www.example.com/",
      "nextResponseUri": "",
      "openerUri": "",
      "openeeUri": "",
      "otherDocumentUri": "",
      "initialPopupUri": "",
      "referrer": "https://www.example.com/",
      "accessedProperty": "",
      "sourceFile": "",
      "lineNumber": null,
      "columnNumber": null
     }
    ],
    "truncated": false
   }
  }
 },
 "listCoopReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypeCoop": {
    "error": "Parameter action does not apply to report type coop"
   }
  }
 },
 "listDmarcReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "DmarcReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000011",
      "date": "2026-11-20T06:10:25+00:00",
      "raw": "{\"reporter\":\"Example Mail\",\"reportId\":\"example.com:2908579405\",\"domain\":\"example.com\"}",
      "count": 12,
      "domain": "example.com",
      "headerFrom": "news.example.com",
      "envelopeFrom": "bounces.example.com",
      "envelopeTo": "mail.example",
      "sourceIp": "203.0.113.33",
      "sourceHostname": "out-33.mta.example",
      "organisation": "Example Post Ltd",
      "asn": 64500,
      "country": "DE",
      "disposition": "none",
      "dkim": "pass",
      "spf": "fail",
      "aligned": true,
      "overrideReasons": [
       {
        "type": "mailing_list",
        "comment": "Forwarded by a known list."
       }
      ],
      "dkimResults": [
       {
        "domain": "example.com",
        "selector": "s2026",
        "result": "pass",
        "humanResult": ""
       }
      ],
      "spfResults": [
       {
        "domain": "bounces.example.com",
        "scope": "mfrom",
        "result": "softfail",
        "humanResult": ""
       }
      ],
      "publishedPolicy": {
       "p": "quarantine",
       "sp": "reject",
       "np": "reject",
       "adkim": "r",
       "aspf": "r",
       "fo": "1",
       "pct": null,
       "testing": "n",
       "discoveryMethod": "treewalk"
      },
      "reporter": "Example Mail",
      "reporterEmail": "dmarc-reports@mail.example",
      "reportId": "example.com:2908579405",
      "generator": "Example Mail reporter 2.1",
      "beginDate": "2026-11-19T00:00:00+00:00",
      "endDate": "2026-11-19T23:59:59+00:00"
     }
    ],
    "truncated": false
   }
  }
 },
 "listDmarcReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypeDmarc": {
    "error": "Parameter action does not apply to report type dmarc"
   }
  }
 },
 "listTlsRptReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "TlsRptReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000012",
      "date": "2026-11-20T05:26:27+00:00",
      "raw": "{\"organization-name\":\"Example Mail\",\"report-id\":\"f15285e43a9cc5b9@mail.example\"}",
      "count": 1,
      "domain": "example.com",
      "policyType": "sts",
      "policyStrings": [
       "version: STSv1",
       "mode: enforce",
       "mx: *.mx.example.com",
       "max_age: 604800"
      ],
      "mxHosts": [
       "*.mx.example.com"
      ],
      "successfulSessions": 2110,
      "failedSessions": 33,
      "failureDetails": [
       {
        "resultType": "certificate-expired",
        "failedSessions": 33,
        "sendingMtaIp": "198.51.100.114",
        "receivingIp": "203.0.113.4",
        "receivingMxHostname": "mx1.mx.example.com",
        "receivingMxHelo": "mx1.mx.example.com",
        "failureReasonCode": "X509_V_ERR_CERT_HAS_EXPIRED",
        "additionalInformation": "https://mail.example/help/tls"
       }
      ],
      "reporter": "Example Mail",
      "contactInfo": "smtp-tls-reporting@mail.example",
      "reportId": "f15285e43a9cc5b9@mail.example",
      "beginDate": "2026-11-19T00:00:00+00:00",
      "endDate": "2026-11-19T23:59:59+00:00"
     }
    ],
    "truncated": false
   }
  }
 },
 "listTlsRptReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypeTlsRpt": {
    "error": "Parameter action does not apply to report type tls_rpt"
   }
  }
 },
 "listCertificateTransparencyReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "CertificateTransparencyReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000013",
      "date": "2026-11-20T04:40:56+00:00",
      "raw": "{\"certificate\":{\"commonName\":\"example.com\"},\"logs\":[{\"name\":\"Example Argon 2026h2\"}]}",
      "count": 1,
      "hostnames": [
       "example.com",
       "*.example.com"
      ],
      "commonName": "example.com",
      "certType": "certificate",
      "issuer": "C=GB, O=Harbour Certification Ltd, CN=Harbour TLS R3",
      "serialNumber": "035a19a60a5fa807e6ef169f378059b6",
      "sha256": "38ad3a65b0c45946709643387ee0a013e3eb9b94707473fdf6368b121471e26b",
      "sha256Spki": "f5a05d2c4d1dde8bea8daeb91f0fb12cc6d2b8234712ed28a08a9353ba9023c9",
      "sha256Tbs": "67375a92e2cb5cf3d744e8ad0851edbaa33f6303de75fdc98b9dc37179385c31",
      "notBefore": "2026-07-17T04:00:00+00:00",
      "notAfter": "2026-10-15T03:59:59+00:00",
      "logs": [
       {
        "name": "Example Argon 2026h2",
        "logId": "t9TX3QuhMkUOi+spLcYOjNochjZRSvFGdL2XMnUrCe8=",
        "timestamp": "2026-07-17T05:00:00+00:00"
       }
      ]
     }
    ],
    "truncated": false
   }
  }
 },
 "listCertificateTransparencyReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterActionDoesNotApplyToReportTypeCertificateTransparency": {
    "error": "Parameter action does not apply to report type certificate_transparency"
   }
  }
 },
 "listReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "CspReports": {
    "reports": [
     {
      "action": "enforced",
      "date": "2026-11-20T11:25:00+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "directive": "script-src-elem",
      "blockedUri": "https://cdn.slider-update.example/tag.js",
      "raw": "{\"age\":4137,\"body\":{\"blockedURL\":\"https://cdn.slider-update.example/tag.js\",\"disposition\":\"enforce\",\"documentURL\":\"https://www.example.com/checkout/payment\",\"effectiveDirective\":\"script-src-elem\",\"originalPolicy\":\"default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'\",\"statusCode\":200},\"type\":\"csp-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "generatedDomain": 0,
      "indicatorOfCompromise": 1,
      "recentlyRegisteredDomain": 1,
      "lowReputationDomain": 0,
      "policyIocHosts": [],
      "policyConcernHosts": [
       "js.adloom.example"
      ],
      "suspicious": 0
     }
    ],
    "truncated": false
   },
   "CspIntegrityReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000002",
      "date": "2026-11-20T11:21:40+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"documentURL\":\"https://www.example.com/checkout/payment\",\"subresourceURL\":\"https://js.adloom.example/v3/loader.js\",\"hash\":\"sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c=\",\"destination\":\"script\",\"type\":\"subresource\"},\"type\":\"csp-hash\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "subresourceUri": "https://js.adloom.example/v3/loader.js",
      "hash": "sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c=",
      "destination": "script",
      "resourceType": "subresource",
      "indicatorOfCompromise": 0,
      "recentlyRegisteredDomain": 0,
      "lowReputationDomain": 0,
      "suspicious": 0
     }
    ],
    "truncated": false
   },
   "IntegrityPolicyReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000003",
      "date": "2026-11-20T11:17:02+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"documentURL\":\"https://www.example.com/checkout/payment\",\"blockedURL\":\"https://js.adloom.example/v3/loader.js\",\"destination\":\"script\",\"reportOnly\":true},\"type\":\"integrity-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "action": "reportOnly",
      "blockedUri": "https://js.adloom.example/v3/loader.js",
      "destination": "script",
      "indicatorOfCompromise": 0,
      "recentlyRegisteredDomain": 0,
      "lowReputationDomain": 0,
      "suspicious": 0
     }
    ],
    "truncated": false
   },
   "PermissionsPolicyReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000004",
      "date": "2026-11-20T10:58:13+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"featureId\":\"geolocation\",\"disposition\":\"enforce\",\"message\":\"Permissions policy violation: geolocation is not allowed in this document.\",\"sourceFile\":\"https://www.example.com/assets/main.js\",\"lineNumber\":299,\"columnNumber\":32,\"allowAttribute\":\"\",\"srcAttribute\":\"\"},\"type\":\"permissions-policy-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "property": "geolocation",
      "disposition": "enforce",
      "message": "Permissions policy violation: geolocation is not allowed in this document.",
      "sourceFile": "https://www.example.com/assets/main.js",
      "lineNumber": 299,
      "columnNumber": 32,
      "allowAttribute": "",
      "srcAttribute": "",
      "potential": false
     }
    ],
    "truncated": false
   },
   "NelReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000005",
      "date": "2026-11-20T10:41:55+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"sampling_fraction\":0.5,\"referrer\":\"https://www.example.com/\",\"server_ip\":\"198.51.100.4\",\"protocol\":\"h2\",\"method\":\"GET\",\"status_code\":0,\"elapsed_time\":30012,\"phase\":\"connection\",\"type\":\"tcp.timed_out\"},\"type\":\"network-error\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "nelType": "tcp.timed_out",
      "phase": "connection",
      "protocol": "h2",
      "method": "GET",
      "statusCode": 0,
      "serverIp": "198.51.100.4",
      "referrer": "https://www.example.com/",
      "elapsedTime": 30012,
      "samplingFraction": 0.5,
      "organisation": "Meridian Edge Networks"
     }
    ],
    "truncated": false
   },
   "DeprecationReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000006",
      "date": "2026-11-20T10:30:00+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"id\":\"UnloadHandler\",\"message\":\"Unload event listeners are deprecated and will be removed.\",\"anticipatedRemoval\":\"2027-03-01\",\"sourceFile\":\"https://www.example.com/assets/main.js\",\"lineNumber\":299,\"columnNumber\":32},\"type\":\"deprecation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "featureId": "UnloadHandler",
      "message": "Unload event listeners are deprecated and will be removed.",
      "sourceFile": "https://www.example.com/assets/main.js",
      "lineNumber": 299,
      "columnNumber": 32,
      "anticipatedRemoval": "2027-03-01"
     }
    ],
    "truncated": false
   },
   "InterventionReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000007",
      "date": "2026-11-20T10:12:44+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"id\":\"AudioContextStartBlocked\",\"message\":\"The AudioContext was not allowed to start before a gesture of the user.\",\"sourceFile\":\"https://www.example.com/assets/main.js\",\"lineNumber\":299,\"columnNumber\":32},\"type\":\"intervention\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "featureId": "AudioContextStartBlocked",
      "message": "The AudioContext was not allowed to start before a gesture of the user.",
      "sourceFile": "https://www.example.com/assets/main.js",
      "lineNumber": 299,
      "columnNumber": 32
     }
    ],
    "truncated": false
   },
   "CrashReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000008",
      "date": "2026-11-20T09:47:31+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"reason\":\"oom\",\"is_top_level\":true,\"visibility_state\":\"visible\"},\"type\":\"crash\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "reason": "oom",
      "isTopLevel": true,
      "visibilityState": "visible",
      "stack": ""
     }
    ],
    "truncated": false
   },
   "CoepReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000009",
      "date": "2026-11-20T09:30:24+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"type\":\"corp\",\"blockedURL\":\"https://img.brightpath.example/logo.png\",\"destination\":\"image\",\"disposition\":\"reporting\"},\"type\":\"coep\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "violation": "corp",
      "disposition": "reporting",
      "blockedUri": "https://img.brightpath.example/logo.png",
      "destination": "image"
     }
    ],
    "truncated": false
   },
   "CoopReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000010",
      "date": "2026-11-20T09:05:44+00:00",
      "uri": "https://www.example.com/checkout/payment",
      "raw": "{\"age\":4137,\"body\":{\"type\":\"navigation-to-response\",\"disposition\":\"enforce\",\"effectivePolicy\":\"same-origin\",\"previousResponseURL\":\"https://www.example.com/\",\"referrer\":\"https://www.example.com/\"},\"type\":\"coop\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
      "count": 3,
      "browser": "Chrome",
      "platform": "Windows",
      "violation": "navigation-to-response",
      "disposition": "enforce",
      "effectivePolicy": "same-origin",
      "previousResponseUri": "https://www.example.com/",
      "nextResponseUri": "",
      "openerUri": "",
      "openeeUri": "",
      "otherDocumentUri": "",
      "initialPopupUri": "",
      "referrer": "https://www.example.com/",
      "accessedProperty": "",
      "sourceFile": "",
      "lineNumber": null,
      "columnNumber": null
     }
    ],
    "truncated": false
   },
   "DmarcReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000011",
      "date": "2026-11-20T06:10:25+00:00",
      "raw": "{\"reporter\":\"Example Mail\",\"reportId\":\"example.com:2908579405\",\"domain\":\"example.com\"}",
      "count": 12,
      "domain": "example.com",
      "headerFrom": "news.example.com",
      "envelopeFrom": "bounces.example.com",
      "envelopeTo": "mail.example",
      "sourceIp": "203.0.113.33",
      "sourceHostname": "out-33.mta.example",
      "organisation": "Example Post Ltd",
      "asn": 64500,
      "country": "DE",
      "disposition": "none",
      "dkim": "pass",
      "spf": "fail",
      "aligned": true,
      "overrideReasons": [
       {
        "type": "mailing_list",
        "comment": "Forwarded by a known list."
       }
      ],
      "dkimResults": [
       {
        "domain": "example.com",
        "selector": "s2026",
        "result": "pass",
        "humanResult": ""
       }
      ],
      "spfResults": [
       {
        "domain": "bounces.example.com",
        "scope": "mfrom",
        "result": "softfail",
        "humanResult": ""
       }
      ],
      "publishedPolicy": {
       "p": "quarantine",
       "sp": "reject",
       "np": "reject",
       "adkim": "r",
       "aspf": "r",
       "fo": "1",
       "pct": null,
       "testing": "n",
       "discoveryMethod": "treewalk"
      },
      "reporter": "Example Mail",
      "reporterEmail": "dmarc-reports@mail.example",
      "reportId": "example.com:2908579405",
      "generator": "Example Mail reporter 2.1",
      "beginDate": "2026-11-19T00:00:00+00:00",
      "endDate": "2026-11-19T23:59:59+00:00"
     }
    ],
    "truncated": false
   },
   "TlsRptReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000012",
      "date": "2026-11-20T05:26:27+00:00",
      "raw": "{\"organization-name\":\"Example Mail\",\"report-id\":\"f15285e43a9cc5b9@mail.example\"}",
      "count": 1,
      "domain": "example.com",
      "policyType": "sts",
      "policyStrings": [
       "version: STSv1",
       "mode: enforce",
       "mx: *.mx.example.com",
       "max_age: 604800"
      ],
      "mxHosts": [
       "*.mx.example.com"
      ],
      "successfulSessions": 2110,
      "failedSessions": 33,
      "failureDetails": [
       {
        "resultType": "certificate-expired",
        "failedSessions": 33,
        "sendingMtaIp": "198.51.100.114",
        "receivingIp": "203.0.113.4",
        "receivingMxHostname": "mx1.mx.example.com",
        "receivingMxHelo": "mx1.mx.example.com",
        "failureReasonCode": "X509_V_ERR_CERT_HAS_EXPIRED",
        "additionalInformation": "https://mail.example/help/tls"
       }
      ],
      "reporter": "Example Mail",
      "contactInfo": "smtp-tls-reporting@mail.example",
      "reportId": "f15285e43a9cc5b9@mail.example",
      "beginDate": "2026-11-19T00:00:00+00:00",
      "endDate": "2026-11-19T23:59:59+00:00"
     }
    ],
    "truncated": false
   },
   "CertificateTransparencyReports": {
    "reports": [
     {
      "id": "01a1f9d1-6b40-7c76-8b8f-000000000013",
      "date": "2026-11-20T04:40:56+00:00",
      "raw": "{\"certificate\":{\"commonName\":\"example.com\"},\"logs\":[{\"name\":\"Example Argon 2026h2\"}]}",
      "count": 1,
      "hostnames": [
       "example.com",
       "*.example.com"
      ],
      "commonName": "example.com",
      "certType": "certificate",
      "issuer": "C=GB, O=Harbour Certification Ltd, CN=Harbour TLS R3",
      "serialNumber": "035a19a60a5fa807e6ef169f378059b6",
      "sha256": "38ad3a65b0c45946709643387ee0a013e3eb9b94707473fdf6368b121471e26b",
      "sha256Spki": "f5a05d2c4d1dde8bea8daeb91f0fb12cc6d2b8234712ed28a08a9353ba9023c9",
      "sha256Tbs": "67375a92e2cb5cf3d744e8ad0851edbaa33f6303de75fdc98b9dc37179385c31",
      "notBefore": "2026-07-17T04:00:00+00:00",
      "notAfter": "2026-10-15T03:59:59+00:00",
      "logs": [
       {
        "name": "Example Argon 2026h2",
        "logId": "t9TX3QuhMkUOi+spLcYOjNochjZRSvFGdL2XMnUrCe8=",
        "timestamp": "2026-07-17T05:00:00+00:00"
       }
      ]
     }
    ],
    "truncated": false
   }
  }
 },
 "listReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "MissingRequiredParameterUnit": {
    "error": "Missing required parameter: unit"
   },
   "InvalidValueForParameterDate": {
    "error": "Invalid value for parameter: date"
   },
   "ParameterSubresourceHostnamesDoesNotApplyToReportTypeCsp": {
    "error": "Parameter subresourceHostnames does not apply to report type csp"
   }
  }
 },
 "UnknownReportType": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Unknown report type"
   }
  }
 },
 "listReportTypes200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "ReportTypeList": {
    "types": [
     {
      "type": "csp",
      "label": "Content Security Policy"
     },
     {
      "type": "csp_integrity",
      "label": "CSP Integrity"
     },
     {
      "type": "integrity_policy",
      "label": "Integrity Policy"
     },
     {
      "type": "permissions_policy",
      "label": "Permissions Policy"
     },
     {
      "type": "nel",
      "label": "Network Error Logging"
     },
     {
      "type": "deprecation",
      "label": "Deprecation"
     },
     {
      "type": "intervention",
      "label": "Intervention"
     },
     {
      "type": "crash",
      "label": "Crash"
     },
     {
      "type": "coep",
      "label": "Cross-Origin Embedder Policy"
     },
     {
      "type": "coop",
      "label": "Cross-Origin Opener Policy"
     },
     {
      "type": "dmarc",
      "label": "DMARC"
     },
     {
      "type": "tls_rpt",
      "label": "SMTP TLS Reporting"
     },
     {
      "type": "certificate_transparency",
      "label": "Certificate Transparency"
     }
    ]
   }
  }
 },
 "getGraph200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "Graph": {
    "type": "csp",
    "unit": "weeks",
    "amount": 1,
    "periods": [
     {
      "date": "2026-11-14",
      "total": 223,
      "directives": {
       "script-src-elem": 180,
       "img-src": 41,
       "unknown": 2
      }
     },
     {
      "date": "2026-11-15",
      "total": 232,
      "directives": {
       "script-src-elem": 189,
       "img-src": 41,
       "unknown": 2
      }
     },
     {
      "date": "2026-11-16",
      "total": 241,
      "directives": {
       "script-src-elem": 198,
       "img-src": 41,
       "unknown": 2
      }
     },
     {
      "date": "2026-11-17",
      "total": 250,
      "directives": {
       "script-src-elem": 207,
       "img-src": 41,
       "unknown": 2
      }
     },
     {
      "date": "2026-11-18",
      "total": 259,
      "directives": {
       "script-src-elem": 216,
       "img-src": 41,
       "unknown": 2
      }
     },
     {
      "date": "2026-11-19",
      "total": 268,
      "directives": {
       "script-src-elem": 225,
       "img-src": 41,
       "unknown": 2
      }
     },
     {
      "date": "2026-11-20",
      "total": 277,
      "directives": {
       "script-src-elem": 234,
       "img-src": 41,
       "unknown": 2
      }
     }
    ]
   }
  }
 },
 "getGraph400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Invalid graph period"
   }
  }
 },
 "ThisPeriodRequiresAPaidPlan": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "APIAccessRequiresABusinessPlanOrHigher": {
    "error": "API access requires a Business plan or higher"
   },
   "ThisPeriodRequiresAPaidPlan": {
    "error": "This period requires a paid plan"
   }
  }
 },
 "getLastSevenDays200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "LastSevenDays": {
    "days": [
     {
      "date": "2026-11-14",
      "csp": 4126,
      "csp_integrity": 1031,
      "integrity_policy": 458,
      "permissions_policy": 257,
      "nel": 165,
      "deprecation": 114,
      "intervention": 84,
      "crash": 64,
      "coep": 50,
      "coop": 41,
      "dmarc": 34,
      "tls_rpt": 28,
      "certificate_transparency": 24
     },
     {
      "date": "2026-11-15",
      "csp": 4538,
      "csp_integrity": 1134,
      "integrity_policy": 504,
      "permissions_policy": 283,
      "nel": 181,
      "deprecation": 126,
      "intervention": 92,
      "crash": 70,
      "coep": 56,
      "coop": 45,
      "dmarc": 37,
      "tls_rpt": 31,
      "certificate_transparency": 26
     },
     {
      "date": "2026-11-16",
      "csp": 4951,
      "csp_integrity": 1237,
      "integrity_policy": 550,
      "permissions_policy": 309,
      "nel": 198,
      "deprecation": 137,
      "intervention": 101,
      "crash": 77,
      "coep": 61,
      "coop": 49,
      "dmarc": 40,
      "tls_rpt": 34,
      "certificate_transparency": 29
     },
     {
      "date": "2026-11-17",
      "csp": 5363,
      "csp_integrity": 1340,
      "integrity_policy": 595,
      "permissions_policy": 335,
      "nel": 214,
      "deprecation": 148,
      "intervention": 109,
      "crash": 83,
      "coep": 66,
      "coop": 53,
      "dmarc": 44,
      "tls_rpt": 37,
      "certificate_transparency": 31
     },
     {
      "date": "2026-11-18",
      "csp": 5776,
      "csp_integrity": 1444,
      "integrity_policy": 641,
      "permissions_policy": 361,
      "nel": 231,
      "deprecation": 160,
      "intervention": 117,
      "crash": 90,
      "coep": 71,
      "coop": 57,
      "dmarc": 47,
      "tls_rpt": 40,
      "certificate_transparency": 34
     },
     {
      "date": "2026-11-19",
      "csp": 6189,
      "csp_integrity": 1547,
      "integrity_policy": 687,
      "permissions_policy": 386,
      "nel": 247,
      "deprecation": 171,
      "intervention": 126,
      "crash": 96,
      "coep": 76,
      "coop": 61,
      "dmarc": 51,
      "tls_rpt": 42,
      "certificate_transparency": 36
     },
     {
      "date": "2026-11-20",
      "csp": 6601,
      "csp_integrity": 1650,
      "integrity_policy": 733,
      "permissions_policy": 412,
      "nel": 264,
      "deprecation": 183,
      "intervention": 134,
      "crash": 103,
      "coep": 81,
      "coop": 66,
      "dmarc": 54,
      "tls_rpt": 45,
      "certificate_transparency": 39
     }
    ]
   }
  }
 },
 "getBreakdown200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "Breakdown": {
    "breakdown": {
     "csp": 82520,
     "csp_integrity": 20630,
     "integrity_policy": 9168,
     "permissions_policy": 5157,
     "nel": 3300,
     "deprecation": 2292,
     "intervention": 1684,
     "crash": 1289,
     "coep": 1018,
     "coop": 825,
     "dmarc": 681,
     "tls_rpt": 573,
     "certificate_transparency": 488
    }
   }
  }
 },
 "getUsageMetrics200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "UsageMetrics": {
    "metrics": [
     {
      "type": "csp",
      "accepted": 82520,
      "filtered": 364,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "csp_integrity",
      "accepted": 20630,
      "filtered": 336,
      "sampled": 525,
      "rejected": 16
     },
     {
      "type": "integrity_policy",
      "accepted": 9168,
      "filtered": 308,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "permissions_policy",
      "accepted": 5157,
      "filtered": 280,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "nel",
      "accepted": 3300,
      "filtered": 252,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "deprecation",
      "accepted": 2292,
      "filtered": 224,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "intervention",
      "accepted": 1684,
      "filtered": 196,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "crash",
      "accepted": 1289,
      "filtered": 168,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "coep",
      "accepted": 1018,
      "filtered": 140,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "coop",
      "accepted": 825,
      "filtered": 112,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "dmarc",
      "accepted": 681,
      "filtered": 84,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "tls_rpt",
      "accepted": 573,
      "filtered": 56,
      "sampled": 0,
      "rejected": 16
     },
     {
      "type": "certificate_transparency",
      "accepted": 488,
      "filtered": 28,
      "sampled": 0,
      "rejected": 16
     }
    ]
   }
  }
 },
 "getQuota200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "Quota": {
    "used": 129625,
    "limit": 1000000
   }
  }
 },
 "listCspPolicies200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "CspPolicyList": {
    "policies": [
     {
      "id": "main-site",
      "name": "Main site",
      "policy": "default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'"
     }
    ]
   }
  }
 },
 "getCspPolicy200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "CspPolicy": {
    "id": "main-site",
    "name": "Main site",
    "policy": "default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'"
   }
  }
 },
 "getCspPolicy400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Invalid value for parameter: id"
   }
  }
 },
 "PolicyNotFound": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Policy not found"
   }
  }
 },
 "getCspWizard200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "CspWizard": {
    "active": true,
    "policy": "default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'"
   }
  }
 },
 "listScriptWatches200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "WatchList": {
    "watches": [
     {
      "site": "checkout.example.com",
      "emailAlertsEnabled": true,
      "webhookEnabled": false,
      "webhookTarget": null,
      "alertThreshold": 10
     },
     {
      "site": "www.example.com",
      "emailAlertsEnabled": true,
      "webhookEnabled": true,
      "webhookTarget": "https://hooks.example.com/security",
      "alertThreshold": 1
     }
    ]
   }
  }
 },
 "listDataWatches200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "WatchList": {
    "watches": [
     {
      "site": "checkout.example.com",
      "emailAlertsEnabled": true,
      "webhookEnabled": false,
      "webhookTarget": null,
      "alertThreshold": 10
     },
     {
      "site": "www.example.com",
      "emailAlertsEnabled": true,
      "webhookEnabled": true,
      "webhookTarget": "https://hooks.example.com/security",
      "alertThreshold": 1
     }
    ]
   }
  }
 },
 "listFrameWatches200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "WatchList": {
    "watches": [
     {
      "site": "checkout.example.com",
      "emailAlertsEnabled": true,
      "webhookEnabled": false,
      "webhookTarget": null,
      "alertThreshold": 10
     },
     {
      "site": "www.example.com",
      "emailAlertsEnabled": true,
      "webhookEnabled": true,
      "webhookTarget": "https://hooks.example.com/security",
      "alertThreshold": 1
     }
    ]
   }
  }
 },
 "listPolicyWatches200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "WatchList": {
    "watches": [
     {
      "site": "checkout.example.com",
      "emailAlertsEnabled": true,
      "webhookEnabled": false,
      "webhookTarget": null,
      "alertThreshold": 10
     },
     {
      "site": "www.example.com",
      "emailAlertsEnabled": true,
      "webhookEnabled": true,
      "webhookTarget": "https://hooks.example.com/security",
      "alertThreshold": 1
     }
    ]
   }
  }
 },
 "listScriptWatchFindings200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "WatchFindingList": {
    "findings": [
     {
      "uri": "https://cdn.slider-update.example/tag.js",
      "count": 213,
      "firstSeen": "2026-09-18T01:08:08+00:00",
      "lastSeen": "2026-11-20T11:25:00+00:00",
      "source": "csp"
     }
    ]
   }
  }
 },
 "listScriptWatchFindings400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Invalid value for parameter: domain"
   }
  }
 },
 "DomainIsNotEnrolled": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Domain is not enrolled"
   }
  }
 },
 "listDataWatchFindings200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "WatchFindingList": {
    "findings": [
     {
      "uri": "https://cdn.slider-update.example/tag.js",
      "count": 213,
      "firstSeen": "2026-09-18T01:08:08+00:00",
      "lastSeen": "2026-11-20T11:25:00+00:00",
      "source": "csp"
     }
    ]
   }
  }
 },
 "listDataWatchFindings400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Invalid value for parameter: domain"
   }
  }
 },
 "listFrameWatchFindings200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "WatchFindingList": {
    "findings": [
     {
      "uri": "https://cdn.slider-update.example/tag.js",
      "count": 213,
      "firstSeen": "2026-09-18T01:08:08+00:00",
      "lastSeen": "2026-11-20T11:25:00+00:00",
      "source": "csp"
     }
    ]
   }
  }
 },
 "listFrameWatchFindings400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Invalid value for parameter: domain"
   }
  }
 },
 "listPolicyWatchFindings200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "PolicyWatchFindingList": {
    "findings": [
     {
      "policy": "default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'",
      "enforced": true,
      "count": 4959,
      "firstSeen": "2026-09-18T01:08:08+00:00",
      "lastSeen": "2026-11-20T11:25:00+00:00"
     }
    ]
   }
  }
 },
 "listPolicyWatchFindings400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Invalid value for parameter: domain"
   }
  }
 },
 "getCertificate200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "Certificate": {
    "pem": "-----BEGIN CERTIFICATE-----\nMIIBjzCCAUGgAwIBAgIQA1oZpgpfqAfm7xafN4BZtjAFBgMrZXAwSjELMAkGA1UE\nBhMCR0IxIjAgBgNVBAoMGUhhcmJvdXIgQ2VydGlmaWNhdGlvbiBMdGQxFzAVBgNV\nBAMMDkhhcmJvdXIgVExTIFIzMB4XDTI2MDcxNzA0MDAwMFoXDTI2MTAxNTAzNTk1\nOVowFjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wKjAFBgMrZXADIQAmdKkmc8BgeerS\nHgAmcGO6JFrVVy2sWvCXZtXmE+qODKNxMG8wDgYDVR0PAQH/BAQDAgeAMBMGA1Ud\nJQQMMAoGCCsGAQUFBwMBMAwGA1UdEwEB/wQCMAAwJQYDVR0RBB4wHIILZXhhbXBs\nZS5jb22CDSouZXhhbXBsZS5jb20wEwYKKwYBBAHWeQIEAwEB/wQCBQAwBQYDK2Vw\nA0EAM3fRut+JhKHlz04XmuhtEtP0+c8XCoiFMf1zpwwAkEGKGpi+B8eZGp46fK3A\n1XM23RgjUBz7TKcowfswUNuxAw==\n-----END CERTIFICATE-----\n"
   }
  }
 },
 "getCertificate400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Invalid value for parameter: sha256"
   }
  }
 },
 "CertificateNotFound": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Certificate not found"
   }
  }
 },
 "getAuditLog200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "ETag": "W/\"0ZQ2dzm5VXGyuj2zYGHsXGg3hoE\"",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept-Encoding"
  },
  "bodies": {
   "AuditLog": {
    "events": [
     {
      "timestamp": "2026-11-20T09:54:41+00:00",
      "event": "apiKeyCreated",
      "message": "API key “dashboard” created",
      "loggedById": "demo-team-user-1",
      "loggedByEmail": "grace@example.com",
      "requestIp": "198.51.100.19"
     }
    ],
    "nextCursor": "WyIxIiwiOUZJaHNPSnRWcnRBIiwiMjAyNi0xMS0yMCAwOTo1NDo0MSswMCIsIjAxYTFmOWQxLTZiNDAtN2M3Ni04YjhmLTAwMDAwMDAwMDAwMSJd",
    "truncated": true
   }
  }
 },
 "getAuditLog400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Invalid cursor"
   }
  }
 },
 "listExportedReports200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept, Accept-Encoding",
   "Content-Disposition": "attachment; filename=\"sightline-csp-2026-11-20.ndjson\"",
   "Link": "</export/reports/csp?after=MS5lM3I0LTktX3FhWjEuNDI>; rel=\"next\"",
   "Sightline-Cursor": "MS5lM3I0LTktX3FhWjEuNDI",
   "Sightline-Gap": "true",
   "Retry-After": "60"
  },
  "bodies": {
   "ExportedCspReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "csp",
     "action": "enforced",
     "date": "2026-11-20T11:25:00+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "directive": "script-src-elem",
     "blockedUri": "https://cdn.slider-update.example/tag.js",
     "raw": "{\"age\":4137,\"body\":{\"blockedURL\":\"https://cdn.slider-update.example/tag.js\",\"disposition\":\"enforce\",\"documentURL\":\"https://www.example.com/checkout/payment\",\"effectiveDirective\":\"script-src-elem\",\"originalPolicy\":\"default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'\",\"statusCode\":200},\"type\":\"csp-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "generatedDomain": 0,
     "indicatorOfCompromise": 1,
     "recentlyRegisteredDomain": 1,
     "lowReputationDomain": 0,
     "policyIocHosts": [],
     "policyConcernHosts": [
      "js.adloom.example"
     ],
     "suspicious": 0,
     "sourceFile": "",
     "lineNumber": null,
     "columnNumber": null,
     "sample": "",
     "statusCode": 200,
     "samplingRate": 0.1
    }
   ],
   "ExportedCspIntegrityReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "csp_integrity",
     "date": "2026-11-20T11:21:40+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"documentURL\":\"https://www.example.com/checkout/payment\",\"subresourceURL\":\"https://js.adloom.example/v3/loader.js\",\"hash\":\"sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c=\",\"destination\":\"script\",\"type\":\"subresource\"},\"type\":\"csp-hash\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "subresourceUri": "https://js.adloom.example/v3/loader.js",
     "hash": "sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c=",
     "destination": "script",
     "resourceType": "subresource",
     "indicatorOfCompromise": 0,
     "recentlyRegisteredDomain": 0,
     "lowReputationDomain": 0,
     "suspicious": 0,
     "samplingRate": 0.1
    }
   ],
   "ExportedIntegrityPolicyReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "integrity_policy",
     "date": "2026-11-20T11:17:02+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"documentURL\":\"https://www.example.com/checkout/payment\",\"blockedURL\":\"https://js.adloom.example/v3/loader.js\",\"destination\":\"script\",\"reportOnly\":true},\"type\":\"integrity-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "action": "reportOnly",
     "blockedUri": "https://js.adloom.example/v3/loader.js",
     "destination": "script",
     "indicatorOfCompromise": 0,
     "recentlyRegisteredDomain": 0,
     "lowReputationDomain": 0,
     "suspicious": 0,
     "samplingRate": 0.1
    }
   ],
   "ExportedPermissionsPolicyReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "permissions_policy",
     "date": "2026-11-20T10:58:13+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"featureId\":\"geolocation\",\"disposition\":\"enforce\",\"message\":\"Permissions policy violation: geolocation is not allowed in this document.\",\"sourceFile\":\"https://www.example.com/assets/main.js\",\"lineNumber\":299,\"columnNumber\":32,\"allowAttribute\":\"\",\"srcAttribute\":\"\"},\"type\":\"permissions-policy-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "property": "geolocation",
     "disposition": "enforce",
     "message": "Permissions policy violation: geolocation is not allowed in this document.",
     "sourceFile": "https://www.example.com/assets/main.js",
     "lineNumber": 299,
     "columnNumber": 32,
     "allowAttribute": "",
     "srcAttribute": "",
     "potential": false,
     "samplingRate": 0.1
    }
   ],
   "ExportedNelReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "nel",
     "date": "2026-11-20T10:41:55+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"sampling_fraction\":0.5,\"referrer\":\"https://www.example.com/\",\"server_ip\":\"198.51.100.4\",\"protocol\":\"h2\",\"method\":\"GET\",\"status_code\":0,\"elapsed_time\":30012,\"phase\":\"connection\",\"type\":\"tcp.timed_out\"},\"type\":\"network-error\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "nelType": "tcp.timed_out",
     "phase": "connection",
     "protocol": "h2",
     "method": "GET",
     "statusCode": 0,
     "serverIp": "198.51.100.4",
     "referrer": "https://www.example.com/",
     "elapsedTime": 30012,
     "samplingFraction": 0.5,
     "organisation": "Meridian Edge Networks",
     "samplingRate": 0.1
    }
   ],
   "ExportedDeprecationReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "deprecation",
     "date": "2026-11-20T10:30:00+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"id\":\"UnloadHandler\",\"message\":\"Unload event listeners are deprecated and will be removed.\",\"anticipatedRemoval\":\"2027-03-01\",\"sourceFile\":\"https://www.example.com/assets/main.js\",\"lineNumber\":299,\"columnNumber\":32},\"type\":\"deprecation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "featureId": "UnloadHandler",
     "message": "Unload event listeners are deprecated and will be removed.",
     "sourceFile": "https://www.example.com/assets/main.js",
     "lineNumber": 299,
     "columnNumber": 32,
     "anticipatedRemoval": "2027-03-01",
     "samplingRate": 0.1
    }
   ],
   "ExportedInterventionReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "intervention",
     "date": "2026-11-20T10:12:44+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"id\":\"AudioContextStartBlocked\",\"message\":\"The AudioContext was not allowed to start before a gesture of the user.\",\"sourceFile\":\"https://www.example.com/assets/main.js\",\"lineNumber\":299,\"columnNumber\":32},\"type\":\"intervention\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "featureId": "AudioContextStartBlocked",
     "message": "The AudioContext was not allowed to start before a gesture of the user.",
     "sourceFile": "https://www.example.com/assets/main.js",
     "lineNumber": 299,
     "columnNumber": 32,
     "samplingRate": 0.1
    }
   ],
   "ExportedCrashReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "crash",
     "date": "2026-11-20T09:47:31+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"reason\":\"oom\",\"is_top_level\":true,\"visibility_state\":\"visible\"},\"type\":\"crash\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "reason": "oom",
     "isTopLevel": true,
     "visibilityState": "visible",
     "stack": "",
     "samplingRate": 0.1
    }
   ],
   "ExportedCoepReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "coep",
     "date": "2026-11-20T09:30:24+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"type\":\"corp\",\"blockedURL\":\"https://img.brightpath.example/logo.png\",\"destination\":\"image\",\"disposition\":\"reporting\"},\"type\":\"coep\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "violation": "corp",
     "disposition": "reporting",
     "blockedUri": "https://img.brightpath.example/logo.png",
     "destination": "image",
     "samplingRate": 0.1
    }
   ],
   "ExportedCoopReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "coop",
     "date": "2026-11-20T09:05:44+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"type\":\"navigation-to-response\",\"disposition\":\"enforce\",\"effectivePolicy\":\"same-origin\",\"previousResponseURL\":\"https://www.example.com/\",\"referrer\":\"https://www.example.com/\"},\"type\":\"coop\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "violation": "navigation-to-response",
     "disposition": "enforce",
     "effectivePolicy": "same-origin",
     "previousResponseUri": "https://www.example.com/",
     "nextResponseUri": "",
     "openerUri": "",
     "openeeUri": "",
     "otherDocumentUri": "",
     "initialPopupUri": "",
     "referrer": "https://www.example.com/",
     "accessedProperty": "",
     "sourceFile": "",
     "lineNumber": null,
     "columnNumber": null,
     "samplingRate": 0.1
    }
   ],
   "ExportedDmarcReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "dmarc",
     "date": "2026-11-20T06:10:25+00:00",
     "raw": "{\"reporter\":\"Example Mail\",\"reportId\":\"example.com:2908579405\",\"domain\":\"example.com\"}",
     "count": 12,
     "domain": "example.com",
     "headerFrom": "news.example.com",
     "envelopeFrom": "bounces.example.com",
     "envelopeTo": "mail.example",
     "sourceIp": "203.0.113.33",
     "sourceHostname": "out-33.mta.example",
     "organisation": "Example Post Ltd",
     "asn": 64500,
     "country": "DE",
     "disposition": "none",
     "dkim": "pass",
     "spf": "fail",
     "aligned": true,
     "overrideReasons": [
      {
       "type": "mailing_list",
       "comment": "Forwarded by a known list."
      }
     ],
     "dkimResults": [
      {
       "domain": "example.com",
       "selector": "s2026",
       "result": "pass",
       "humanResult": ""
      }
     ],
     "spfResults": [
      {
       "domain": "bounces.example.com",
       "scope": "mfrom",
       "result": "softfail",
       "humanResult": ""
      }
     ],
     "publishedPolicy": {
      "p": "quarantine",
      "sp": "reject",
      "np": "reject",
      "adkim": "r",
      "aspf": "r",
      "fo": "1",
      "pct": null,
      "testing": "n",
      "discoveryMethod": "treewalk"
     },
     "reporter": "Example Mail",
     "reporterEmail": "dmarc-reports@mail.example",
     "reportId": "example.com:2908579405",
     "generator": "Example Mail reporter 2.1",
     "beginDate": "2026-11-19T00:00:00+00:00",
     "endDate": "2026-11-19T23:59:59+00:00",
     "sender": "Example Post Ltd"
    }
   ],
   "ExportedTlsRptReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "tls_rpt",
     "date": "2026-11-20T05:26:27+00:00",
     "raw": "{\"organization-name\":\"Example Mail\",\"report-id\":\"f15285e43a9cc5b9@mail.example\"}",
     "count": 1,
     "domain": "example.com",
     "policyType": "sts",
     "policyStrings": [
      "version: STSv1",
      "mode: enforce",
      "mx: *.mx.example.com",
      "max_age: 604800"
     ],
     "mxHosts": [
      "*.mx.example.com"
     ],
     "successfulSessions": 2110,
     "failedSessions": 33,
     "failureDetails": [
      {
       "resultType": "certificate-expired",
       "failedSessions": 33,
       "sendingMtaIp": "198.51.100.114",
       "receivingIp": "203.0.113.4",
       "receivingMxHostname": "mx1.mx.example.com",
       "receivingMxHelo": "mx1.mx.example.com",
       "failureReasonCode": "X509_V_ERR_CERT_HAS_EXPIRED",
       "additionalInformation": "https://mail.example/help/tls"
      }
     ],
     "reporter": "Example Mail",
     "contactInfo": "smtp-tls-reporting@mail.example",
     "reportId": "f15285e43a9cc5b9@mail.example",
     "beginDate": "2026-11-19T00:00:00+00:00",
     "endDate": "2026-11-19T23:59:59+00:00"
    }
   ],
   "ExportedCertificateTransparencyReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "certificate_transparency",
     "date": "2026-11-20T04:40:56+00:00",
     "raw": "{\"certificate\":{\"commonName\":\"example.com\"},\"logs\":[{\"name\":\"Example Argon 2026h2\"}]}",
     "count": 1,
     "hostnames": [
      "example.com",
      "*.example.com"
     ],
     "commonName": "example.com",
     "certType": "certificate",
     "issuer": "C=GB, O=Harbour Certification Ltd, CN=Harbour TLS R3",
     "serialNumber": "035a19a60a5fa807e6ef169f378059b6",
     "sha256": "38ad3a65b0c45946709643387ee0a013e3eb9b94707473fdf6368b121471e26b",
     "sha256Spki": "f5a05d2c4d1dde8bea8daeb91f0fb12cc6d2b8234712ed28a08a9353ba9023c9",
     "sha256Tbs": "67375a92e2cb5cf3d744e8ad0851edbaa33f6303de75fdc98b9dc37179385c31",
     "notBefore": "2026-07-17T04:00:00+00:00",
     "notAfter": "2026-10-15T03:59:59+00:00",
     "logs": [
      {
       "name": "Example Argon 2026h2",
       "logId": "t9TX3QuhMkUOi+spLcYOjNochjZRSvFGdL2XMnUrCe8=",
       "timestamp": "2026-07-17T05:00:00+00:00"
      }
     ]
    }
   ],
   "ExportedConnectionAllowlistReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "connection_allowlist",
     "date": "2026-11-20T08:47:30+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"url\":\"https://www.example.com/checkout/payment\",\"connection\":\"https://collect.adloom.example/pixel\",\"allowlist\":[\"https://www.example.com\",\"https://*.example.com/*\"],\"disposition\":\"report\"},\"type\":\"connection-allowlist\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "connection": "https://collect.adloom.example/pixel",
     "disposition": "report",
     "allowlist": [
      "https://www.example.com",
      "https://*.example.com/*"
     ],
     "samplingRate": 0.1
    }
   ],
   "ExportedOtherReport": [
    {
     "id": "01a1f9d1-6b40-7c76-8b8f-000000000001",
     "type": "other",
     "date": "2026-11-20T08:31:09+00:00",
     "uri": "https://www.example.com/checkout/payment",
     "raw": "{\"age\":4137,\"body\":{\"policyId\":\"unsized-media\",\"message\":\"Document policy violation: unsized-media is not allowed.\",\"disposition\":\"report\"},\"type\":\"document-policy-violation\",\"url\":\"https://www.example.com/checkout/payment\",\"user_agent\":\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\"}",
     "count": 3,
     "browser": "Chrome",
     "platform": "Windows",
     "wireType": "document-policy-violation",
     "samplingRate": 0.1
    }
   ]
  }
 },
 "listExportedReports400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "InvalidValueForParameterAfter": {
    "error": "Invalid value for parameter: after"
   },
   "ParameterLimitRequiresAfter": {
    "error": "Parameter limit requires after"
   },
   "ParameterNelTypeDoesNotApplyToReportTypeCsp": {
    "error": "Parameter nelType does not apply to report type csp"
   }
  }
 },
 "ThreatIntelligenceIsNotIncludedInYourPlanOrAnInternalTokenIsRequired": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "APIAccessRequiresABusinessPlanOrHigher": {
    "error": "API access requires a Business plan or higher"
   },
   "ThreatIntelligenceIsNotIncludedInYourPlan": {
    "error": "Threat Intelligence is not included in your plan"
   },
   "AnInternalTokenIsRequired": {
    "error": "An internal token is required"
   }
  }
 },
 "UnknownReportTypeOrAccountNotFound": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "UnknownReportType": {
    "error": "Unknown report type"
   },
   "AccountNotFound": {
    "error": "Account not found"
   }
  }
 },
 "listExportedAuditLog200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept, Accept-Encoding",
   "Content-Disposition": "attachment; filename=\"sightline-csp-2026-11-20.ndjson\"",
   "Link": "</export/reports/csp?after=MS5lM3I0LTktX3FhWjEuNDI>; rel=\"next\"",
   "Sightline-Cursor": "MS5lM3I0LTktX3FhWjEuNDI",
   "Sightline-Gap": "true",
   "Retry-After": "60"
  },
  "bodies": {
   "ExportedAuditEvent": [
    {
     "id": "audit-2026-11-20-17",
     "timestamp": "2026-11-20T09:54:41+00:00",
     "event": "apiKeyCreated",
     "message": "API key “dashboard” created",
     "loggedById": "demo-team-user-1",
     "loggedByEmail": "grace@example.com",
     "requestIp": "198.51.100.19"
    }
   ]
  }
 },
 "listExportedAuditLog400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "InvalidValueForParameterAfter": {
    "error": "Invalid value for parameter: after"
   },
   "ParameterLimitRequiresAfter": {
    "error": "Parameter limit requires after"
   }
  }
 },
 "AnInternalTokenIsRequired": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "APIAccessRequiresABusinessPlanOrHigher": {
    "error": "API access requires a Business plan or higher"
   },
   "AnInternalTokenIsRequired": {
    "error": "An internal token is required"
   }
  }
 },
 "AccountNotFound": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "example": {
    "error": "Account not found"
   }
  }
 },
 "listExportedFindings200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept, Accept-Encoding",
   "Content-Disposition": "attachment; filename=\"sightline-csp-2026-11-20.ndjson\"",
   "Link": "</export/reports/csp?after=MS5lM3I0LTktX3FhWjEuNDI>; rel=\"next\"",
   "Sightline-Cursor": "MS5lM3I0LTktX3FhWjEuNDI",
   "Sightline-Gap": "true",
   "Retry-After": "60"
  },
  "bodies": {
   "ExportedFinding": [
    {
     "id": "script:www.example.com:1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f",
     "product": "script",
     "site": "www.example.com",
     "uri": "https://cdn.slider-update.example/tag.js",
     "policy": null,
     "count": 213,
     "firstSeen": "2026-09-18T01:08:08+00:00",
     "lastSeen": "2026-11-20T11:25:00+00:00",
     "source": "csp",
     "enforced": null
    }
   ]
  }
 },
 "listExportedFindings400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "InvalidValueForParameterAfter": {
    "error": "Invalid value for parameter: after"
   },
   "ParameterLimitRequiresAfter": {
    "error": "Parameter limit requires after"
   }
  }
 },
 "listExportedVerdicts200": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "private, no-cache",
   "Vary": "Authorization, Accept, Accept-Encoding",
   "Content-Disposition": "attachment; filename=\"sightline-csp-2026-11-20.ndjson\"",
   "Link": "</export/reports/csp?after=MS5lM3I0LTktX3FhWjEuNDI>; rel=\"next\"",
   "Sightline-Cursor": "MS5lM3I0LTktX3FhWjEuNDI",
   "Sightline-Gap": "true",
   "Retry-After": "60"
  },
  "bodies": {
   "ExportedVerdict": [
    {
     "id": "sender::newsletter.example.net",
     "subjectKind": "sender",
     "site": null,
     "subject": "newsletter.example.net",
     "verdict": "mine",
     "reason": "Sends our newsletter",
     "owner": null,
     "hashes": [],
     "count": null,
     "decidedBy": "ann@example.com",
     "decidedAt": "2026-10-01T09:00:00+00:00",
     "expiresAt": "2027-10-01T00:00:00+00:00"
    }
   ]
  }
 },
 "listExportedVerdicts400": {
  "headers": {
   "X-Request-Id": "2f0c8e52-6c5c-4c27-9d0e-6f3f0b6d5c11",
   "X-Content-Type-Options": "nosniff",
   "RateLimit": "\"default\";r=118;t=42",
   "RateLimit-Policy": "\"default\";q=120;w=60",
   "Cache-Control": "no-store"
  },
  "bodies": {
   "InvalidValueForParameterAfter": {
    "error": "Invalid value for parameter: after"
   },
   "ParameterLimitRequiresAfter": {
    "error": "Parameter limit requires after"
   }
  }
 }
};

export const paths = {
 "/v1/me": {
  "200": "getMe200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/setup": {
  "200": "getSetup200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "404": "SetupNotFound",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/plan": {
  "200": "getPlan200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/team": {
  "200": "getTeam200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "ATeamAPIKeyIsRequired",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/filters": {
  "200": "getFilters200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/csp": {
  "200": "listCspReports200",
  "304": "NotModified",
  "400": "listCspReports400",
  "401": "Unauthorized",
  "403": "ThreatIntelligenceIsNotIncludedInYourPlan",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/csp_integrity": {
  "200": "listCspIntegrityReports200",
  "304": "NotModified",
  "400": "listCspIntegrityReports400",
  "401": "Unauthorized",
  "403": "ThreatIntelligenceIsNotIncludedInYourPlan",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/integrity_policy": {
  "200": "listIntegrityPolicyReports200",
  "304": "NotModified",
  "400": "listIntegrityPolicyReports400",
  "401": "Unauthorized",
  "403": "ThreatIntelligenceIsNotIncludedInYourPlan",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/permissions_policy": {
  "200": "listPermissionsPolicyReports200",
  "304": "NotModified",
  "400": "listPermissionsPolicyReports400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/nel": {
  "200": "listNelReports200",
  "304": "NotModified",
  "400": "listNelReports400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/deprecation": {
  "200": "listDeprecationReports200",
  "304": "NotModified",
  "400": "listDeprecationReports400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/intervention": {
  "200": "listInterventionReports200",
  "304": "NotModified",
  "400": "listInterventionReports400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/crash": {
  "200": "listCrashReports200",
  "304": "NotModified",
  "400": "listCrashReports400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/coep": {
  "200": "listCoepReports200",
  "304": "NotModified",
  "400": "listCoepReports400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/coop": {
  "200": "listCoopReports200",
  "304": "NotModified",
  "400": "listCoopReports400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/dmarc": {
  "200": "listDmarcReports200",
  "304": "NotModified",
  "400": "listDmarcReports400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/tls_rpt": {
  "200": "listTlsRptReports200",
  "304": "NotModified",
  "400": "listTlsRptReports400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/certificate_transparency": {
  "200": "listCertificateTransparencyReports200",
  "304": "NotModified",
  "400": "listCertificateTransparencyReports400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/reports/{type}": {
  "200": "listReports200",
  "304": "NotModified",
  "400": "listReports400",
  "401": "Unauthorized",
  "403": "ThreatIntelligenceIsNotIncludedInYourPlan",
  "404": "UnknownReportType",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/report-types": {
  "200": "listReportTypes200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/graphs/{type}/{unit}/{amount}": {
  "200": "getGraph200",
  "304": "NotModified",
  "400": "getGraph400",
  "401": "Unauthorized",
  "403": "ThisPeriodRequiresAPaidPlan",
  "404": "UnknownReportType",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/last-seven-days": {
  "200": "getLastSevenDays200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/breakdown": {
  "200": "getBreakdown200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/usage-metrics": {
  "200": "getUsageMetrics200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/quota": {
  "200": "getQuota200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/policies/csp": {
  "200": "listCspPolicies200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/policies/csp/{id}": {
  "200": "getCspPolicy200",
  "304": "NotModified",
  "400": "getCspPolicy400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "404": "PolicyNotFound",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/wizard/csp": {
  "200": "getCspWizard200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/watches/script": {
  "200": "listScriptWatches200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/watches/data": {
  "200": "listDataWatches200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/watches/frame": {
  "200": "listFrameWatches200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/watches/policy": {
  "200": "listPolicyWatches200",
  "304": "NotModified",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/watches/script/{domain}": {
  "200": "listScriptWatchFindings200",
  "304": "NotModified",
  "400": "listScriptWatchFindings400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "404": "DomainIsNotEnrolled",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/watches/data/{domain}": {
  "200": "listDataWatchFindings200",
  "304": "NotModified",
  "400": "listDataWatchFindings400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "404": "DomainIsNotEnrolled",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/watches/frame/{domain}": {
  "200": "listFrameWatchFindings200",
  "304": "NotModified",
  "400": "listFrameWatchFindings400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "404": "DomainIsNotEnrolled",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/watches/policy/{domain}": {
  "200": "listPolicyWatchFindings200",
  "304": "NotModified",
  "400": "listPolicyWatchFindings400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "404": "DomainIsNotEnrolled",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/certificate-transparency/cert/{sha256}": {
  "200": "getCertificate200",
  "304": "NotModified",
  "400": "getCertificate400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "404": "CertificateNotFound",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/v1/audit-log": {
  "200": "getAuditLog200",
  "304": "NotModified",
  "400": "getAuditLog400",
  "401": "Unauthorized",
  "403": "NoApiAccess",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/export/reports/{type}": {
  "200": "listExportedReports200",
  "400": "listExportedReports400",
  "401": "Unauthorized",
  "403": "ThreatIntelligenceIsNotIncludedInYourPlanOrAnInternalTokenIsRequired",
  "404": "UnknownReportTypeOrAccountNotFound",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/export/audit-log": {
  "200": "listExportedAuditLog200",
  "400": "listExportedAuditLog400",
  "401": "Unauthorized",
  "403": "AnInternalTokenIsRequired",
  "404": "AccountNotFound",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/export/findings": {
  "200": "listExportedFindings200",
  "400": "listExportedFindings400",
  "401": "Unauthorized",
  "403": "AnInternalTokenIsRequired",
  "404": "AccountNotFound",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 },
 "/export/verdicts": {
  "200": "listExportedVerdicts200",
  "400": "listExportedVerdicts400",
  "401": "Unauthorized",
  "403": "AnInternalTokenIsRequired",
  "404": "AccountNotFound",
  "405": "MethodNotAllowed",
  "429": "TooManyRequests",
  "500": "InternalServerError"
 }
};
