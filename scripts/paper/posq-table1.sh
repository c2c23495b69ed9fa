#!/usr/bin/env bash
# Table 1 of the SQuAD-PosQ paper (arXiv:2505.13950), from results/.
set -euo pipefail
table='Table 1 of the SQuAD-PosQ paper (arXiv:2505.13950)'
layout=table1
usual_datasets='squad-posq*,fineweb-posq*'
experiment=posq-table1
# shellcheck source=scripts/paper/table
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/table"
