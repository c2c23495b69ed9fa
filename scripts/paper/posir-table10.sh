#!/usr/bin/env bash
# Table 10 of the PosIR paper (arXiv:2601.08363), from results/.
set -euo pipefail
table='Table 10 of the PosIR paper (arXiv:2601.08363)'
layout=posir-table10
usual_datasets='posir/*'
experiment=posir-table10
# shellcheck source=scripts/paper/table
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/table"
