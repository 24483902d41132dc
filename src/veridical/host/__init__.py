"""Where the agent is at work: its settings, the runtime it answers from, itself as one tool."""

from veridical.host.query_feature import (
    QUERY_FEATURE,
    query_feature_instance,
    query_feature_schema,
)

__all__ = ["QUERY_FEATURE", "query_feature_instance", "query_feature_schema"]
