import type { BusinessTx } from '../../records/business-tx.ts';
import type { Row } from '../../records/row.ts';
import type { Dimension } from './general-ledger.ts';

/** The dimensions of what is posted: those of the document, and those that its party has by default. */
export async function dimensionsOf(books: BusinessTx, document: Row, party?: Row): Promise<Dimension[]> {
  const chosen = new Map<string, string>();
  if (party) {
    for (const line of await books.list('defaultDimension', { parentId: party.id })) {
      if (line.text('dimensionValueCode') !== '')
        chosen.set(line.text('dimensionCode'), line.text('dimensionValueCode'));
    }
  }
  for (const line of await books.list('dimensionSetLine', { parentId: document.id })) {
    chosen.set(line.text('code'), line.text('valueCode'));
  }
  return [...chosen].map(([code, valueCode]) => ({ code, valueCode }));
}
