#!/usr/bin/env bash
# Table 2 of the paper on training distributions, from results/.
set -euo pipefail
table='Table 2 of the paper on training distributions'
layout=training-table2
usual_datasets='scifact,hotpotqa,fever,climate-fever'
experiment=''
# shellcheck source=scripts/paper/table
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/table"
