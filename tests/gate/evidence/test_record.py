"""Records become sheets whose rows and columns can be told apart."""

from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.record import sheets_from_record

GAME = {
    "season": {"name": "North League 23/24"},
    "homeTeam": {"name": "Lynx", "country": "Norway"},
    "awayTeam": {"name": "Otters", "country": "Norway"},
    "homeScore": {"display": 3, "period1": 1},
    "awayScore": {"display": 2, "period1": 0},
}


def test_a_list_of_objects_is_a_table_with_paths_as_columns() -> None:
    record = {"list": [{"wind": {"speed": 2.5}, "at": "06:00"}, {"wind": {"speed": 4}}]}
    (sheet,) = sheets_from_record(record, 0, Exhibit())
    assert sheet.columns == ("wind.speed", "at")
    assert sheet.rows == ((2.5, "06:00"), (4, None))
    assert sheet.title == "list"


def test_fields_are_named_by_their_path() -> None:
    (sheet,) = sheets_from_record({"a": {"b": True}, "c": None, "d": [1, 2]}, 0, Exhibit())
    assert sheet.row_labels == ("a.b", "c", "d", "d")
    assert sheet.rows == ((True,), (None,), (1,), (2,))


def test_parallel_objects_are_rows_of_one_sheet() -> None:
    fields, teams = sheets_from_record(GAME, 2, Exhibit())
    assert fields.row_labels == ("season.name",)
    assert teams.row_labels == ("home", "away")
    assert teams.columns == ("Team.name", "Team.country", "Score.display", "Score.period1")
    assert teams.rows == (("Lynx", "Norway", 3, 1), ("Otters", "Norway", 2, 0))
    assert teams.exhibit == 2


def test_lists_inside_rows_carry_what_their_row_says() -> None:
    record = [
        {"category": "Body", "specs": [{"name": "Weight", "value": "134 g"}]},
        {"category": "Screen", "specs": [{"name": "Size", "value": "6"}, {"name": "Type"}]},
    ]
    (sheet,) = sheets_from_record(record, 0, Exhibit())
    assert sheet.columns == ("category", "name", "value")
    assert sheet.rows[0] == ("Body", "Weight", "134 g")
    assert sheet.rows[2] == ("Screen", "Type", None)


def test_a_list_that_never_has_two_entries_is_part_of_its_row() -> None:
    record = [{"sky": [{"text": "clear"}]}, {"sky": [{"text": "rain"}]}]
    (sheet,) = sheets_from_record(record, 0, Exhibit())
    assert (sheet.columns, sheet.rows) == (("sky.text",), (("clear",), ("rain",)))


def test_units_told_beside_the_list_belong_to_its_columns() -> None:
    record = {"units": {"wind": "m/s"}, "list": [{"wind": {"speed": 2.5}, "note": "wind"}]}
    (sheet,) = sheets_from_record(record, 0, Exhibit())
    assert sheet.source.measures["wind.speed"].unit == "m/s"
    assert "note" not in sheet.source.measures


def test_one_unit_for_all_is_no_unit_of_the_dates() -> None:
    record = {"unit": "years", "rows": [{"date": 1950, "value": 41.2}]}
    _, sheet = sheets_from_record(record, 0, Exhibit())
    assert {name: measure.unit for name, measure in sheet.source.measures.items()} == {
        "value": "years"
    }


def test_a_plain_value_is_a_field_without_a_name() -> None:
    (sheet,) = sheets_from_record(7, 0, Exhibit())
    assert sheet.rows == ((7,),)
