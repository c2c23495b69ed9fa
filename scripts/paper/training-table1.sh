#!/usr/bin/env bash
# Table 3 of the paper on training distributions, from results/.
set -euo pipefail
table='Table 3 of the paper on training distributions'
layout=training-table1
usual_datasets='squad-posq,fineweb-posq'
experiment=''
# shellcheck source=scripts/paper/table
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/table"
