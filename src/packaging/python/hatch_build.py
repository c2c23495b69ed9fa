"""Tag of the wheel: one with a runtime of Java is of the platform that POSBIAS_PLATFORM names."""

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Platform(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if platform := os.environ.get("POSBIAS_PLATFORM"):
            build_data["tag"] = f"py3-none-{platform}"
            build_data["pure_python"] = False
