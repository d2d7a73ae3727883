"""Opens a run folder of populace: its manifest, its tables, and the sums that the plots show.

Every function returns a polars frame. Times are simulated local times; distances are metres.
"""

import json
import os
from datetime import timedelta
from pathlib import Path

import polars as pl

# What the day is made of, in the order of the plots: group -> activity words of the tables.
ACTIVITY_GROUPS = {
    "sleep": ["sleep"],
    "home": ["home activity", "meal"],
    "work": ["work"],
    "school": ["school"],
    "shop": ["shopping"],
    "eat out": ["eating out"],
    "leisure, social": ["leisure and entertainment", "social"],
    "escort, other": ["escort", "other"],
    "travel": ["commute"],
}
MODE_NAMES = {"walk": "walk", "bike": "bicycle", "car": "car", "pt": "public transport"}


def find_run(runs: Path) -> Path:
    """The folder named by POPULACE_RUN, or the run under `runs` that was written last."""
    named = os.environ.get("POPULACE_RUN")
    if named:
        return Path(named)
    manifests = sorted(runs.glob("*/manifest.json"), key=lambda path: path.stat().st_mtime)
    if not manifests:
        raise FileNotFoundError(
            f"no run under {runs}: start one with `populace run`, or set POPULACE_RUN"
        )
    return manifests[-1].parent


def group_of(column: str) -> pl.Expr:
    """The activity group of each word in `column`."""
    words = {word: group for group, members in ACTIVITY_GROUPS.items() for word in members}
    return pl.col(column).replace_strict(words, default="escort, other")


class Run:
    """One run folder."""

    def __init__(self, folder: Path):
        self.folder = Path(folder)
        self.manifest = json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))

    def table(self, name: str) -> pl.LazyFrame:
        """A table, whether it is one file or a folder of parts; words come as text."""
        parts = sorted((self.folder / name).glob("*.parquet"))
        files = parts or [self.folder / f"{name}.parquet"]
        if not files[0].exists():
            raise FileNotFoundError(f"{self.folder} has no table {name}: see records.tables")
        frame = pl.scan_parquet(files)
        return frame.with_columns(pl.col(pl.Categorical).cast(pl.String))

    def activity_shares(self) -> pl.DataFrame:
        """Share of the logged persons in each activity group, by time of day.

        Columns: `minute` of the day, then one share in [0, 1] per group. It counts who enters and
        leaves a group, so it reads a full step log and a log of changes alike. Days are
        averaged.
        """
        steps = self.table("steps").select("tick", "datetime", "agent_id", "activity")
        steps = steps.with_columns(group=group_of("activity"))
        steps = steps.sort("agent_id", "tick").collect()
        persons = steps["agent_id"].n_unique()
        steps = steps.with_columns(left=pl.col("group").shift().over("agent_id"))
        changes = steps.filter(pl.col("left").is_null() | (pl.col("left") != pl.col("group")))
        entered = changes.select("datetime", "group", change=pl.lit(1))
        left = changes.filter(pl.col("left").is_not_null())
        left = left.select("datetime", group="left", change=pl.lit(-1))
        counts = (
            pl.concat([entered, left])
            .pivot("group", index="datetime", values="change", aggregate_function="sum")
            .join(steps.select("datetime").unique(), on="datetime", how="right")
            .sort("datetime")
            .fill_null(0)
        )
        names = [name for name in ACTIVITY_GROUPS if name in counts.columns]
        counts = counts.with_columns(pl.col(names).cum_sum() / persons)
        # A log of changes has no row for a quiet tick: carry the counts over the whole run.
        first = counts["datetime"][0]
        last = first + timedelta(seconds=self.tick_s() * (self.manifest["clock"]["ticks_done"] - 1))
        grid = pl.datetime_range(first, last, f"{self.tick_s()}s", eager=True)
        grid = grid.cast(counts["datetime"].dtype).alias("datetime").to_frame()
        counts = grid.join_asof(counts, on="datetime")
        time = pl.col("datetime").dt
        minute = (time.hour().cast(pl.Int32) * 60 + time.minute()).alias("minute")
        # The day is shown from the hour at which the run began.
        start = counts.select(minute)["minute"][0]
        order = ((pl.col("minute") - start) % 1440).alias("order")
        shares = counts.group_by(minute).agg(pl.col(names).mean()).with_columns(order)
        return shares.sort("order").with_columns(minute=start + pl.col("order")).drop("order")

    def tick_s(self) -> int:
        """Length of a tick in seconds."""
        return int(self.manifest["clock"]["tick_s"])

    def days(self) -> float:
        """Simulated days of the run."""
        clock = self.manifest["clock"]
        return clock["ticks_done"] * clock["tick_s"] / 86_400

    def trips_by_hour(self, by: str) -> pl.DataFrame:
        """Trips that began in each hour of a mean day, by `purpose` (in groups) or by `mode`.

        Columns: `hour` 0 to 23, then one count per group or mode.
        """
        word = group_of("purpose") if by == "purpose" else pl.col(by)
        trips = self.table("trips").select(hour=pl.col("depart").dt.hour(), word=word).collect()
        wide = trips.pivot("word", index="hour", values="word", aggregate_function="len")
        hours = pl.DataFrame({"hour": range(24)}, schema={"hour": wide["hour"].dtype})
        wide = hours.join(wide, on="hour", how="left").fill_null(0).sort("hour")
        return wide.with_columns(pl.exclude("hour") / max(self.days(), 1.0))

    def places(self) -> pl.DataFrame:
        """Places with the number of stays begun there, in kilometres from their middle."""
        stays = self.table("stays").group_by("place_id").agg(stays=pl.len())
        places = self.table("places").join(stays, on="place_id", how="left").fill_null(0)
        middle = [(pl.col(c) - pl.col(c).median()) / 1_000 for c in ("x_m", "y_m")]
        return places.with_columns(x_km=middle[0], y_km=middle[1]).sort("place_id").collect()

    def trip_lines(self, places: pl.DataFrame, count: int, seed: int = 1) -> pl.DataFrame:
        """A sample of trips with both ends in the kilometres of `places`."""
        trips = self.table("trips").select("mode", "origin_place", "destination_place").collect()
        trips = trips.sample(min(count, trips.height), seed=seed)
        for end in ("origin", "destination"):
            at = places.select(
                pl.col("place_id").alias(f"{end}_place"),
                pl.col("x_km").alias(f"{end}_x_km"),
                pl.col("y_km").alias(f"{end}_y_km"),
            )
            trips = trips.join(at, on=f"{end}_place", maintain_order="left")
        return trips

    def summary(self) -> pl.DataFrame:
        """What one wants to know first, one line each."""
        persons = self.table("persons").select(pl.len()).collect().item()
        trips = self.table("trips").collect()
        travellers = trips["agent_id"].n_unique()
        failures = self.table("failures").select(pl.len()).collect().item()
        done = trips.filter("completed")
        person_days = persons * max(self.days(), 1.0)
        rows = [
            ("scenario", self.manifest["scenario"]["name"]),
            ("seed", f"{self.manifest['seed']}"),
            ("status", self.manifest["status"]),
            ("persons", f"{persons:,}"),
            ("simulated", f"{self.days():.2f} days in ticks of {self.tick_s()} s"),
            ("trips", f"{trips.height:,}"),
            ("trips per person and day", f"{trips.height / person_days:.2f}"),
            ("persons who made no trip", f"{1 - travellers / persons:.1%}"),
        ]
        if done.height:
            rows += [
                ("mean duration of a trip", f"{done['duration_s'].mean() / 60:.1f} min"),
                ("mean distance of a trip", f"{done['distance_m'].mean() / 1_000:.1f} km"),
            ]
        for mode, trip_count in trips.group_by("mode").len().sort("len", descending=True).rows():
            share = trip_count / trips.height
            rows.append((f"share of trips: {MODE_NAMES.get(mode, mode)}", f"{share:.1%}"))
        rows.append(("failures", f"{failures:,}"))
        return pl.DataFrame(rows, schema=["what", "value"], orient="row")
