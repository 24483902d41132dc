"""The host of the agent: its settings, its runtime, and the agent as one tool."""

from veridical.host.query_feature import (
    QUERY_FEATURE,
    query_feature_instance,
    query_feature_schema,
)

__all__ = ["QUERY_FEATURE", "query_feature_instance", "query_feature_schema"]
