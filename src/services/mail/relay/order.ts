/** What a delivery to a relay carries in place of the message, which may be large and has many recipients. */
export interface RelayOrder {
  /** Which message. */
  readonly message: string;
  /** Empty for a report. */
  readonly from: string;
  readonly to: string;
}

/** Throws where the body of a delivery is none of these: a mistake of the service. */
export function readOrder(body: string): RelayOrder {
  const order: unknown = JSON.parse(body);
  if (typeof order === 'object' && order !== null && 'message' in order && 'from' in order && 'to' in order) {
    const { message, from, to } = order;
    if (typeof message === 'string' && typeof from === 'string' && typeof to === 'string') return { message, from, to };
  }
  throw new Error('the delivery carries no order for the relay');
}
