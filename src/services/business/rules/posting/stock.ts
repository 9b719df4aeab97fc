import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';
import { share, sum, sumOfQuantities, times } from '../money.ts';

export const isStocked = (item: Row): boolean => item.text('type') === 'Inventory';

/**
 * Takes a quantity from stock; a negative quantity is put back. The stock can become negative if goods are shipped before their purchase is
 * posted.
 */
export async function takeFromStock(books: Books, itemId: string, quantity: number): Promise<void> {
  const item = await books.get('item', itemId);
  if (!item || !isStocked(item)) return;
  await books.derive(item, { inventory: sumOfQuantities(item.number('inventory'), -quantity) });
}

/** Adds purchased goods to stock and updates the average unit cost. */
export async function putIntoStock(books: Books, itemId: string, quantity: number, amount: number): Promise<void> {
  const item = await books.get('item', itemId);
  if (!item || !isStocked(item)) return;
  const before = item.number('inventory');
  const inventory = sumOfQuantities(before, quantity);
  const known = before > 0 ? times(before, item.number('unitCost')) : 0;
  const costly = quantity > 0 && inventory > 0;
  const unitCost = costly ? share(1, sum(known, amount), before > 0 ? inventory : quantity) : item.number('unitCost');
  await books.derive(item, { inventory, unitCost });
}
