import { Type } from 'typebox';

const option = (description: string) => Type.Optional(Type.String({ description }));

/** The query options of a list, for route declarations. All are declared as text: each API reports invalid options in its own words. */
export const LIST_QUERY = {
  $filter: option('Selects documents: comparisons, and, or, not, in, functions; see the page on OData'),
  $orderby: option('Names of properties, each with asc or desc'),
  $top: option('How many'),
  $skiptoken: option('Continues after the previous page; taken from its next link'),
} as const;
