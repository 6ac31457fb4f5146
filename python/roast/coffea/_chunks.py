# SPDX-License-Identifier: BSD-3-Clause
"""Computes metrics of chunks and sections from the records of a decorated process()."""

import statistics


def summarize(values, prefix, suffix=""):
    """Returns mean, minimum, maximum and standard deviation (n - 1)."""
    return {
        f"{prefix}_mean{suffix}": sum(values) / len(values),
        f"{prefix}_min{suffix}": min(values),
        f"{prefix}_max{suffix}": max(values),
        f"{prefix}_std{suffix}": statistics.stdev(values) if len(values) > 1 else 0.0,
    }


def take(chunks, name):
    """Returns the values of a field, skipping records without it."""
    return [chunk[name] for chunk in chunks if chunk.get(name) is not None]


def summarize_datasets(chunks):
    datasets = {}
    for chunk in chunks:
        entry = datasets.setdefault(chunk.get("dataset", "unknown"), {"num_chunks": 0, "total_duration": 0.0, "total_events": 0})
        entry["num_chunks"] += 1
        entry["total_duration"] += chunk.get("duration") or 0.0
        entry["total_events"] += chunk.get("num_events") or 0
    for entry in datasets.values():
        entry["mean_duration"] = entry["total_duration"] / entry["num_chunks"]
        if entry["total_events"] > 0:
            entry["mean_events_per_chunk"] = entry["total_events"] / entry["num_chunks"]
    return datasets


def summarize_sections(sections):
    names = {}
    for section in sections:
        entry = names.setdefault(section.get("name", "unknown"), {"count": 0, "total_duration": 0.0, "type": section.get("type"), "changes": []})
        entry["count"] += 1
        entry["total_duration"] += section.get("duration") or 0.0
        if section.get("mem_delta_mb") is not None:
            entry["changes"].append(section["mem_delta_mb"])
    for entry in names.values():
        changes = entry.pop("changes")
        entry["mean_duration"] = entry["total_duration"] / entry["count"]
        if changes:
            entry["mean_mem_delta_mb"] = sum(changes) / len(changes)
            entry["max_mem_delta_mb"] = max(changes)
            entry["min_mem_delta_mb"] = min(changes)
    return names


def aggregate_chunks(chunks, sections=None):
    """Returns chunk metrics; {} without records."""
    if not chunks:
        return {}
    good = [chunk for chunk in chunks if "error" not in chunk]
    metrics = {"num_chunks": len(chunks), "num_successful_chunks": len(good), "num_failed_chunks": len(chunks) - len(good)}
    if good:
        durations = take(good, "duration")
        if durations:
            metrics.update(summarize(durations, "chunk_duration"))
        changes = take(good, "mem_delta_mb")
        if changes:
            metrics.update(summarize(changes, "chunk_mem_delta", "_mb"))
        events = take(good, "num_events")
        if events:
            metrics["total_events_from_chunks"] = sum(events)
            metrics.update(summarize(events, "chunk_events"))
            del metrics["chunk_events_std"]
        metrics["per_dataset"] = summarize_datasets(good)
    if sections:
        metrics["sections"] = summarize_sections(sections)
    return metrics


def aggregate_files(chunks):
    """Returns metrics of files from chunk records. As in roastcoffea, the first chunk of a file counts, and the last attempt at a range."""
    if not chunks:
        return {}
    info, files, reads, branches, firsts = {}, {}, {}, set(), {}
    for chunk in chunks:
        file = chunk.get("file")
        if file is not None and "entry_start" in chunk and "entry_stop" in chunk and "t_start" in chunk:
            key = (file, chunk["entry_start"], chunk["entry_stop"])
            info[key] = (chunk["t_start"], chunk.get("t_end"), chunk.get("bytes_read", 0))
        branches.update(chunk.get("accessed_branches") or ())
        firsts.setdefault(file, chunk)
        metadata = chunk.get("file_metadata")
        if metadata and metadata.get("filename"):
            files.setdefault(metadata["filename"], metadata)
    for name, metadata in files.items():
        first = firsts.get(name, {})
        reads[name] = {
            "total_branches": metadata.get("total_branches", 0),
            "branches_read_percent": first.get("branches_read_percent", 0.0),
            "total_tree_bytes": metadata.get("total_tree_bytes", 0),
            "bytes_read": first.get("accessed_bytes", 0),
            "bytes_read_percent": first.get("bytes_read_percent", 0.0),
        }
    shares = [read["bytes_read_percent"] for read in reads.values()]
    metrics = {
        "file_metadata": files,
        "compression_ratios": [file["compression_ratio"] for file in files.values() if file.get("compression_ratio", 0) > 0],
        "file_read_metrics": reads,
        "avg_branches_read_percent": sum(read["branches_read_percent"] for read in reads.values()) / len(reads) if reads else 0.0,
        "avg_bytes_read_percent": sum(shares) / len(shares) if shares else 0.0,
        "bytes_read_percent_per_file": [share for share in shares if share > 0],
        "total_branches_read": len(branches),
    }
    if info:
        metrics["chunk_info"] = info
    return metrics
