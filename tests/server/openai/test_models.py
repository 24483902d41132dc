import openai
import pytest

from tests.server.standing import ACME, Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres


def test_each_open_feature_is_a_model(server: Standing) -> None:
    key = server.keys[ACME, Role.VIEWER]
    with openai.OpenAI(base_url=f"{server.address}/v1", api_key=key, max_retries=0) as client:
        listed = list(client.models.list())
        shown = client.models.retrieve("veridical:trustee")
        with pytest.raises(openai.NotFoundError):
            client.models.retrieve("veridical:payroll")
    assert [each.id for each in listed] == ["veridical:trustee"]
    assert shown == listed[0]
    assert shown.created == int(server.services.runtime.opened_at)
