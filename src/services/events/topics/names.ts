/** Names of topics, domains and topics of domains. */
export const NAME = /^(?!(?:vendor|microsoft|eventgrid|system)-)[a-z0-9-]{3,50}$/i;

export const NAME_RULE =
  'it must have 3 to 50 letters, digits and hyphens, and not begin with a reserved word (Vendor-, Microsoft-, EventGrid-, System-)';
