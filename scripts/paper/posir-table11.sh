#!/usr/bin/env bash
# Table 11 of the PosIR paper (arXiv:2601.08363), from results/.
set -euo pipefail
table='Table 11 of the PosIR paper (arXiv:2601.08363)'
layout=posir-table11
usual_datasets='posir/*'
experiment=posir-table10
# shellcheck source=scripts/paper/table
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/table"
