"""The pace of requests by the headers of the service; time is an argument."""

from __future__ import annotations

from norma_client._pace import Pace


def headers(limit: int, remaining: int, reset: int) -> dict[str, str]:
    values = {"limit": limit, "remaining": remaining, "reset": reset}
    return {f"x-ratelimit-{name}": str(value) for name, value in values.items()}


def test_a_service_without_limits_is_never_waited_for() -> None:
    pace = Pace()
    for _ in range(100):
        assert pace.begin(0.0) == 0.0
        pace.end({}, 0.0)


def test_what_is_left_is_sent_at_once_and_the_rest_in_turn() -> None:
    pace = Pace()
    assert pace.begin(0.0) == 0.0
    pace.end(headers(10, 2, 2), 0.0)
    # Two are left; 10 - 2 come back in 2 seconds, which is 4 a second.
    assert [pace.begin(0.0) for _ in range(5)] == [0.0, 0.0, 0.25, 0.5, 0.75]
    # Another program of the same client took one meanwhile.
    pace.end(headers(10, 0, 3), 0.0)
    assert pace.begin(0.0) == 5 / 4
    assert pace.begin(100.0) == 0.0


def test_requests_that_were_never_answered_hold_no_place_for_long() -> None:
    pace = Pace()
    pace.begin(0.0)
    pace.end(headers(1, 0, 1), 0.0)
    assert pace.begin(0.0) == 1.0
    pace.end(None, 0.0)
    assert pace.begin(3.0) == 0.0


def test_a_refusal_makes_a_rate_that_was_too_high_smaller() -> None:
    pace = Pace()
    pace.begin(0.0)
    pace.end(headers(10, 0, 1), 0.0)
    assert pace.begin(0.0) == 0.1
    pace.end(headers(10, 0, 10), 0.0, refused=True)
    assert pace.begin(0.0) == 1.0


def test_numbers_that_cannot_be_right_do_not_stop_a_client() -> None:
    pace = Pace()
    pace.begin(0.0)
    pace.end(headers(1, 0, 999_999_999), 0.0)
    assert pace.begin(0.0) == 30.0
    for wrong in ({"x-ratelimit-limit": "many"}, headers(1, 0, -1), headers(10**20, 0, 1)):
        pace.end(wrong, 0.0)
        assert pace.begin(60.0) < 61
