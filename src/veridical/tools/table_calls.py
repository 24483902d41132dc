"""The tools on tables and metrics by name, each with the kind of call that it makes."""

from collections.abc import Mapping

from veridical.contracts.call import (
    AggregateCall,
    BrowseCall,
    Call,
    MetricCall,
    QueryCall,
    SqlCall,
)

TABLE_TOOLS: Mapping[str, type[BrowseCall | QueryCall | AggregateCall | SqlCall]] = {
    "browseTable": BrowseCall,
    "queryTable": QueryCall,
    "aggregateTable": AggregateCall,
    "executeSqlSafe": SqlCall,
}
METRIC_TOOL = "queryMetrics"
CALL_MODELS: Mapping[str, type[Call]] = {**TABLE_TOOLS, METRIC_TOOL: MetricCall}
