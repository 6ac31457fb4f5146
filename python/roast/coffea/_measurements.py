# SPDX-License-Identifier: BSD-3-Clause
"""Saves and loads measurements in roastcoffea's layout: a directory with metrics.json, start_end_time.txt, metadata.json and optionally
config.json.

`roast-report import` reads them too. A measurement is written to a temporary directory and then renamed, so it is either complete or
absent.
"""

import ast
import datetime
import json
import math
import os
import pathlib
import secrets
import shutil

FORMAT = "roastcoffea_measurement_v1"
FILES = ("start_end_time.txt", "metadata.json", "config.json", "metrics.json")
TUPLE_KEYS = ("chunk_info", "raw_span_metrics")


def convert_key(key):
    """Converts a key to a string, as JSON needs. Tuples and other keys are written in Python's syntax."""
    if isinstance(key, str):
        return key
    if isinstance(key, datetime.datetime):
        return key.isoformat()
    return str(convert(key) if not isinstance(key, tuple) else tuple(convert(part) for part in key))


def convert(value):
    """Converts a value to JSON types. NaN and infinity become null, because JSON has neither."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {convert_key(key): convert(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [convert(entry) for entry in value]
    if isinstance(value, (set, frozenset)):
        return sorted((convert(entry) for entry in value), key=str)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "backslashreplace")
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "tolist"):  # numpy's arrays and scalars
        return convert(value.tolist())
    return str(value)


def encode(value):
    return json.dumps(convert(value), allow_nan=False)


def write_metrics(file, metrics):
    """Writes one member or record per line. This avoids a second copy of all records in memory."""
    file.write("{")
    for position, (name, value) in enumerate(metrics.items()):
        file.write(f"{',' if position else ''}\n  {json.dumps(convert_key(name))}: ")
        if isinstance(value, list) and value and isinstance(value[0], dict):
            file.write("[")
            for index, entry in enumerate(value):
                file.write(f"{',' if index else ''}\n    {encode(entry)}")
            file.write("\n  ]")
        else:
            file.write(encode(value))
    file.write("\n}\n")


def write_file(path, write):
    with open(path, "w", encoding="utf-8") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())


def write_files(directory, metrics, start, end, config, saved=None):
    """saved: the time to record, now by default."""
    directory = pathlib.Path(directory)
    saved = (saved or datetime.datetime.now()).isoformat()
    metadata = {"timestamp": saved, "elapsed_time_seconds": end - start, "format": FORMAT}
    write_file(directory / "metrics.json", lambda file: write_metrics(file, metrics))
    write_file(directory / "start_end_time.txt", lambda file: file.write(f"{float(start)!r},{float(end)!r}\n"))
    write_file(directory / "metadata.json", lambda file: file.write(json.dumps(convert(metadata), indent=2)))
    if config is not None:
        write_file(directory / "config.json", lambda file: file.write(json.dumps(convert(config), indent=2)))


def replace_files(new, target):
    """Replaces the files of an older measurement. Keeps other files in its directory."""
    for name in FILES:
        if (new / name).exists():
            os.replace(new / name, target / name)
        elif (target / name).exists():
            os.unlink(target / name)
    os.rmdir(new)


def choose_name(directory):
    """Returns the local time as a name, with a number if the name is taken."""
    name = datetime.datetime.now().strftime("%Y-%m-%d_%H-%M-%S")
    names = [name] + [f"{name}-{number}" for number in range(2, 1000)]
    return next(name for name in names if not (directory / name).exists())


def save_measurement(metrics, t0, t1, output_dir, measurement_name=None, config=None):
    """Saves a measurement. Returns the directory OUTPUT_DIR/MEASUREMENT_NAME. t0, t1: start and end of the run in s."""
    directory = pathlib.Path(output_dir)
    target = directory / (measurement_name or choose_name(directory))
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.parent / f".{target.name}.{secrets.token_hex(4)}"
    new.mkdir()
    try:
        write_files(new, metrics, t0, t1, config)
        if target.is_dir():
            replace_files(new, target)
        else:
            os.rename(new, target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    return target


def restore_time(text):
    """Parses a time. Returns other texts unchanged."""
    try:
        return datetime.datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return text


def restore_point(point):
    """Restores a point: [time, value], or an object with a timestamp and one other member, as in coffea-metrics 1.0."""
    if isinstance(point, dict):
        values = [value for name, value in point.items() if name != "timestamp"]
        point = [point.get("timestamp"), values[0] if values else None]
    if not point:
        return point
    return (restore_time(point[0]), *point[1:])


def restore_tracking(tracking):
    if not isinstance(tracking, dict):
        return tracking
    restored = {}
    for field, series in tracking.items():
        if field == "worker_counts":
            pairs = series.items() if isinstance(series, dict) else map(restore_point, series)
            restored[field] = {restore_time(time): number for time, number in pairs}
        elif isinstance(series, dict) and all(isinstance(points, list) for points in series.values()):
            restored[field] = {worker: [restore_point(point) for point in points] for worker, points in series.items()}
        else:
            restored[field] = series
    return restored


def restore_keys(values):
    """Restores tuple keys: {"('a', 1)": …} → {("a", 1): …}"""
    restored = {}
    for key, value in values.items():
        try:
            original = ast.literal_eval(key) if key.startswith("(") else key
        except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
            original = key
        restored[original if isinstance(original, tuple) else key] = tuple(value) if isinstance(value, list) else value
    return restored


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except ValueError as error:
        raise ValueError(f"{path}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path}: not a JSON object")
    return value


def check_format(path):
    if path.exists():
        found = read_json(path).get("format", FORMAT)
        if found != FORMAT:
            raise ValueError(f"{path}: format {found!r}, expected {FORMAT!r}")


def load_measurement(measurement_path):
    """Returns (metrics, t0, t1), with times and keys restored."""
    directory = pathlib.Path(measurement_path)
    check_format(directory / "metadata.json")
    metrics = read_json(directory / "metrics.json")
    times = directory / "start_end_time.txt"
    text = times.read_text(encoding="utf-8")
    try:
        start, end = (float(part) for part in text.split(","))
    except ValueError as error:
        raise ValueError(f"{times}: Invalid timing format {text.strip()!r}: expected two numbers with a comma between them") from error
    if "tracking_data" in metrics:
        metrics["tracking_data"] = restore_tracking(metrics["tracking_data"])
    for name in TUPLE_KEYS:
        if isinstance(metrics.get(name), dict):
            metrics[name] = restore_keys(metrics[name])
    return metrics, start, end
