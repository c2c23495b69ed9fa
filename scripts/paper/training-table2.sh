#!/usr/bin/env bash
# Tables 4 and 14 of the paper on training distributions, from results/.
set -euo pipefail
table='Tables 4 and 14 of the paper on training distributions'
layout=training-table2
usual_datasets='scifact,hotpotqa,fever,climate-fever'
experiment=''
# shellcheck source=scripts/paper/table
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/table"
