"""What the engine tells a worker at its start."""

import json
import os
import sys

CONFIG = json.loads(sys.argv[1])
# The folder of all workspaces.
ROOT = CONFIG["root"]
# Most characters of one call's output.
OUTPUT_MAX = CONFIG["output_bytes"]
# What a script sees of the environment beside the variables of the call.
BASE_ENV = {name: os.environ[name] for name in CONFIG["variables"] if name in os.environ}
