import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import timed
from veridical.ontology.metrics import METRIC_TIME, MetricGraph, Reach
from veridical.ontology.model import (
    Cardinality,
    Entity,
    Field,
    Link,
    LinkKind,
    Metric,
    MetricKind,
    OntologyDescriptor,
    Relation,
    Role,
    SemanticType,
)

pytestmark = pytest.mark.slow


def entity(name: str, links: str, *fields: str, grain: str | None = None) -> Entity:
    """``links`` names each link with a mark: ``!`` primary, ``?`` natural, none foreign."""
    kinds = {"!": LinkKind.PRIMARY, "?": LinkKind.NATURAL}
    return Entity(
        name=name,
        semantic_type=SemanticType.OBJECT,
        links=tuple(
            Link(name=link.rstrip("!?"), kind=kinds.get(link[-1], LinkKind.FOREIGN))
            for link in links.split()
        ),
        fields=tuple(
            Field(name=field, role=Role.TIME if field == "day" else Role.DIMENSION, grain=grain)
            for field in fields
        ),
    )


def over(entity: str, name: str, time_field: str | None = None) -> Metric:
    return Metric(name=name, entity=entity, aggregate="sum", time_field=time_field)


@pytest.fixture(scope="module")
def graph() -> MetricGraph:
    return MetricGraph(
        OntologyDescriptor(
            feature_code="shop",
            entities=(
                entity("orders", "order! customer shop", "status", "day", grain="day"),
                entity("order_flags", "order!", "is_gift"),
                entity("customers", "customer! region", "segment"),
                entity("customer_scores", "customer!", "segment", "score"),
                entity("shops", "shop! region", "size"),
                entity("regions", "region! country", "region_name"),
                entity("countries", "country!", "country_name"),
                entity("versions", "customer?", "tier"),
                entity("visits", "customer", "page", "day", grain="month"),
            ),
            metrics=(
                over("orders", "revenue", "day"),
                over("visits", "visits", "day"),
                over("customers", "customers"),
                Metric(name="per_visit", kind=MetricKind.RATIO, inputs=("revenue", "visits")),
                Metric(name="bought", kind=MetricKind.CONVERSION, inputs=("visits", "revenue")),
                Metric(name="circle", kind=MetricKind.DERIVED, inputs=("circle",)),
            ),
            time_grains=("fiscal_year",),
        )
    )


@pytest.mark.parametrize(
    ("metric", "item", "reach"),
    [
        ("revenue", "order__status", Reach.REACHED),
        ("revenue", "ORDER__Status", Reach.REACHED),
        ("revenue", "status", Reach.UNKNOWN),
        ("revenue", "order", Reach.REACHED),
        ("revenue", "customer", Reach.REACHED),
        ("revenue", "order__customer", Reach.REACHED),
        ("revenue", "order__is_gift", Reach.REACHED),
        ("revenue", "customer__score", Reach.REACHED),
        ("revenue", "customer__tier", Reach.REACHED),
        ("revenue", "customer__segment", Reach.AMBIGUOUS),
        ("revenue", "shop__region__region_name", Reach.REACHED),
        ("revenue", "customer__region__region_name", Reach.REACHED),
        ("revenue", "region__region_name", Reach.AMBIGUOUS),
        ("visits", "region__region_name", Reach.REACHED),
        ("revenue", "customer__region__country", Reach.REACHED),
        ("revenue", "customer__region__country__country_name", Reach.UNKNOWN),
        ("customers", "order__status", Reach.UNKNOWN),
        ("revenue", "customer__page", Reach.UNKNOWN),
        ("revenue", "metric_time", Reach.REACHED),
        ("revenue", "metric_time__month", Reach.REACHED),
        ("revenue", "metric_time__fiscal_year", Reach.REACHED),
        ("revenue", "metric_time__extract_dow", Reach.REACHED),
        ("revenue", "metric_time__hour", Reach.TOO_FINE),
        ("revenue", "order__day__week", Reach.REACHED),
        ("revenue", "order__status__week", Reach.UNKNOWN),
        ("visits", "metric_time__day", Reach.TOO_FINE),
        ("customers", "metric_time", Reach.UNKNOWN),
        ("per_visit", "customer__score", Reach.REACHED),
        ("per_visit", "order__status", Reach.UNKNOWN),
        ("per_visit", "metric_time__day", Reach.TOO_FINE),
        ("bought", "customer__score", Reach.REACHED),
        ("bought", "order__status", Reach.UNKNOWN),
        ("circle", "order__status", Reach.REACHED),
        ("circle", "nowhere__status", Reach.UNKNOWN),
    ],
)
def test_what_a_metric_reaches(graph: MetricGraph, metric: str, item: str, reach: Reach) -> None:
    assert graph.reach(graph.metric(metric), item) is reach


def test_without_a_metric_any_entity_will_do(graph: MetricGraph) -> None:
    assert graph.reach(None, "country__country_name") is Reach.REACHED
    assert graph.reach(None, "metric_time__year") is Reach.REACHED
    assert graph.reach(None, "country__capital") is Reach.UNKNOWN


def test_items_of_several_inputs_are_what_all_reach(graph: MetricGraph) -> None:
    both = set(graph.items(graph.metric("per_visit")))
    assert both == set(graph.items(graph.metric("revenue"))) & set(
        graph.items(graph.metric("visits"))
    )
    assert METRIC_TIME in both


@pytest.mark.parametrize("name", ["revenue", "visits", "customers", "per_visit", "bought"])
def test_every_item_listed_is_reached(graph: MetricGraph, name: str) -> None:
    metric = graph.metric(name)
    assert [item for item in graph.items(metric) if graph.reach(metric, item) != "reached"] == []


def test_two_validities_never_meet() -> None:
    graph = MetricGraph(
        OntologyDescriptor(
            feature_code="x",
            entities=(entity("a", "key?", "one"), entity("b", "key?", "two")),
            metrics=(over("a", "total"),),
        )
    )
    assert graph.reach(graph.metric("total"), "key__one") is Reach.REACHED
    assert graph.reach(graph.metric("total"), "key__two") is Reach.UNKNOWN


def plain(name: str, *fields: str) -> Entity:
    return Entity(
        name=name,
        semantic_type=SemanticType.OBJECT,
        fields=tuple(Field(name=field) for field in fields),
    )


def test_relations_serve_where_there_are_no_links() -> None:
    many_to_one = Cardinality.MANY_TO_ONE
    graph = MetricGraph(
        OntologyDescriptor(
            feature_code="x",
            entities=(plain("flight", "number"), plain("airport", "city"), plain("crew", "size")),
            relations=(
                Relation(
                    from_entity="flight",
                    to_entity="airport",
                    cardinality=many_to_one,
                    name="origin",
                ),
                Relation(
                    from_entity="flight",
                    to_entity="airport",
                    cardinality=many_to_one,
                    name="destination",
                ),
                Relation(
                    from_entity="crew", to_entity="flight", cardinality=Cardinality.ONE_TO_MANY
                ),
            ),
            metrics=(over("flight", "flights"), over("airport", "airports")),
        )
    )
    flights, airports = graph.metric("flights"), graph.metric("airports")
    assert graph.reach(flights, "number") is Reach.REACHED
    assert graph.reach(flights, "flight__number") is Reach.REACHED
    assert graph.reach(flights, "origin__city") is Reach.REACHED
    assert graph.reach(flights, "destination.city") is Reach.REACHED
    assert graph.reach(flights, "airport__city") is Reach.UNKNOWN
    assert graph.reach(flights, "crew__size") is Reach.REACHED
    assert graph.reach(airports, "flight__number") is Reach.UNKNOWN


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=20))
def test_no_join_ever_leaves_the_many_side(pairs: list[tuple[int, int]]) -> None:
    """Whatever the links: an item is reached only where a chain of foreign keys leads."""
    towards: dict[int, set[int]] = {number: set() for number in range(9)}
    for near, far in pairs:
        towards[near].add(far)
    entities = [
        entity(f"e{n}", " ".join((f"k{n}!", *(f"k{far}" for far in sorted(towards[n] - {n})))), "x")
        for n in range(9)
    ]
    ontology = OntologyDescriptor(
        feature_code="x", entities=tuple(entities), metrics=(over("e0", "total"),)
    )
    graph = MetricGraph(ontology)
    near = towards[0] - {0}
    within_two = {0} | near | {far for one in near for far in towards[one]}
    for n in range(1, 9):
        reached = graph.reach(graph.metric("total"), f"k{n}__x") is not Reach.UNKNOWN
        assert reached == (n in within_two)


def test_ten_thousand_entities_are_ready_at_once() -> None:
    entities = tuple(
        entity(f"e{n}", f"k{n}! k{(n * 7 + 1) % 10_000} k{(n * 13 + 5) % 10_000}", "x", "y")
        for n in range(10_000)
    )
    ontology = OntologyDescriptor(
        feature_code="x",
        entities=entities,
        metrics=tuple(over(f"e{n}", f"m{n}") for n in range(10)),
    )

    def reached() -> list[Reach]:
        graph = MetricGraph(ontology)
        return [graph.reach(graph.metric(f"m{n}"), f"k{n}__x") for n in range(10)]

    found, took = timed(reached)
    assert found == [Reach.REACHED] * 10
    assert took < 2
