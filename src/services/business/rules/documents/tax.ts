import type { Books } from '../../records/books.ts';
import { NO_GUID, type Row } from '../../records/row.ts';
import { percentage, times } from '../money.ts';

/** Tax area of the company: used for all vendors, and for customers who are liable to tax but have no area. */
const HOME_TAX_AREA = 'DOMESTIC';

/**
 * Tax percentage of a tax group for a party: the area has a full rate, the group a share of it (20 % and a quarter give 5 %). A party that
 * is not liable to tax pays none.
 */
export async function taxRates(books: Books, party: Row | undefined): Promise<(taxCode: string) => Promise<number>> {
  const fullRate = party?.get('taxLiable') === true ? await fullRateOf(books, party) : 0;
  const known = new Map<string, number>();
  return async (taxCode) => {
    if (fullRate === 0 || taxCode === '') return 0;
    let percent = known.get(taxCode);
    if (percent === undefined) {
      const group = await books.find('taxGroup', { code: taxCode });
      percent = group ? percentage(times(fullRate, group.number('shareOfRate'), 0.01), 100) : 0;
      known.set(taxCode, percent);
    }
    return percent;
  };
}

async function fullRateOf(books: Books, party: Row): Promise<number> {
  const areaId = party.table.fields.taxAreaId ? party.text('taxAreaId') : NO_GUID;
  const area =
    areaId === NO_GUID ? await books.find('taxArea', { code: HOME_TAX_AREA }) : await books.get('taxArea', areaId);
  return area?.number('taxPercent') ?? 0;
}
