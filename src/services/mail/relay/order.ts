/** The body of a delivery to a relay. It refers to the message, which may be large and have many recipients. */
export interface RelayOrder {
  /** Reference to the message. */
  readonly message: string;
  /** Empty for a report. */
  readonly from: string;
  readonly to: string;
}

/** Throws if the body of a delivery is invalid, which is a bug in the service. */
export function readOrder(body: string): RelayOrder {
  const order: unknown = JSON.parse(body);
  if (typeof order === 'object' && order !== null && 'message' in order && 'from' in order && 'to' in order) {
    const { message, from, to } = order;
    if (typeof message === 'string' && typeof from === 'string' && typeof to === 'string') return { message, from, to };
  }
  throw new Error('the delivery carries no order for the relay');
}
