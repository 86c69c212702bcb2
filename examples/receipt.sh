#!/bin/sh
# A receipt from lines of NAME;PRICE: airprint print --type receipt --renderer ./receipt.sh order.csv
case $AIRPRINT_ROLL in
  1) paper="${AIRPRINT_PAPER_WIDTH}pt" ;;
  *) paper="${AIRPRINT_PAPER_WIDTH}x${AIRPRINT_PAPER_HEIGHT}pt" ;;
esac
{
  echo "<!doctype html><style>
    @page { margin: ${AIRPRINT_PRINTABLE_Y}pt ${AIRPRINT_PRINTABLE_X}pt }
    body { font: 10pt sans-serif } h1 { text-align: center; font-size: 1.4em; margin: 0 0 .5em }
    table { width: 100%; border-collapse: collapse } td + td { text-align: right }
    tr:last-child td { border-top: 1pt solid; font-weight: bold }
  </style><h1>Corner Shop</h1><table>"
  awk -F ';' '{ sum += $2; printf "<tr><td>%s<td>%.2f", $1, $2 }
    END { printf "<tr><td>Total<td>%.2f", sum }'
  echo '</table>'
} | "$AIRPRINT" render - --type "$AIRPRINT_TYPE" --paper "$paper" --format pdf
