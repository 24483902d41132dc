"""The examples that the contract shows, as they stand there."""

CONTEXT = """
{
  "meta": {
    "scoring_context": {
      "question": "Which policies govern employee data residency?",
      "purpose": "Compile legal summary",
      "jurisdiction": "DE",
      "output_target": "briefing",
      "preferred_sources": ["intranet://legal"],
      "disallowed_sources": ["wiki://drafts"],
      "collection_scope": "employee-compliance",
      "version_target": null,
      "freshness_mode": "standard",
      "min_diversity_buckets": 3
    }
  }
}
"""

RESULT = """
{
  "ranked": [
    {
      "candidate_id": "doc-417",
      "score": 92.5,
      "reason": "Addresses German residency controls",
      "gap_tags": ["LEGAL"],
      "risk_flags": [],
      "facet_coverage": {
        "LEGAL": 0.9,
        "PROCEDURAL": 0.6
      },
      "custom_facets": {
        "CUSTOM_REPORTING": 0.4
      }
    }
  ],
  "top_k": [
    {
      "candidate_id": "doc-417",
      "score": 92.5,
      "reason": "Addresses German residency controls",
      "gap_tags": ["LEGAL"],
      "risk_flags": [],
      "facet_coverage": {
        "LEGAL": 0.9,
        "PROCEDURAL": 0.6
      },
      "custom_facets": {
        "CUSTOM_REPORTING": 0.4
      }
    }
  ],
  "coverage_delta": "Adds LEGAL coverage for residency obligations",
  "recommended_ingest": [
    {
      "candidate_id": "doc-812",
      "reason": "Fills monitoring obligations for the DE market"
    }
  ]
}
"""

FLAGS = """
{
  "rag_unavailable": false,
  "llm_timeout": false,
  "debug": {
    "pre_filter": {
      "dropped": [
        {"id": "cand-1", "reason": "stale"}
      ],
      "mmr": {"selected": [{"id": "cand-4", "max_overlap": 0.1}]}
    },
    "llm": {"fallback": null, "cache_hit": false, "llm_items": 5},
    "fusion": {
      "fused_scores": {"doc-417": 0.031},
      "rrf_components": {
        "doc-417": {
          "rrf_term": 0.01,
          "rag_bonus": 0.016,
          "domain_bonus": 0.009,
          "policy_bonus": 0.003
        }
      },
      "rrf_k": 90,
      "diversity_buckets": ["government", "commercial"]
    }
  }
}
"""

KEYWORDS = {
    "LEGAL": ("legal", "gesetz", "policy", "compliance", "regulation", "gdpr"),
    "TECHNICAL": ("technical", "system", "architecture", "api", "protocol"),
    "PROCEDURAL": ("process", "procedure", "workflow", "steps"),
    "DATA_CATEGORIES": ("data category", "pii", "personal data", "classification"),
    "MONITORING_SURVEILLANCE": ("monitor", "surveillance", "observe", "watch"),
    "LOGGING_AUDIT": ("audit", "logging", "log"),
    "ANALYTICS_REPORTING": ("analytics", "report", "metric", "dashboard"),
    "ACCESS_PRIVACY_SECURITY": ("privacy", "security", "access", "permission", "control"),
    "API_INTEGRATION": ("api", "integration", "endpoint", "sdk"),
}

CONSTANTS = {
    "RAG_CACHE_TTL_S": 300,
    "LLM_CACHE_TTL_S": 3600,
    "MMR_LAMBDA": 0.7,
    "MMR_LIMIT": 20,
    "RRF_K": 90,
    "MIN_DIVERSITY_BUCKETS": 3,
    "MAX_KEY_POINTS": 5,
    "MIN_KEY_POINTS": 3,
    "DEFAULT_FRESHNESS_DAYS": 365,
    "SOFTWARE_FRESHNESS_DAYS": 1095,
    "MAX_REASON_LENGTH": 280,
    "FRESHNESS_PENALTY_PER_MONTH": 2.0,
    "DOMAIN_REDUNDANCY_PENALTY": 0.85,
    "POLICY_PRIORITY_SCALE": 0.1,
}
