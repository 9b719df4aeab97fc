import { Type } from 'typebox';

const option = (description: string) => Type.Optional(Type.String({ description }));

/**
 * The query options of a list, as routes declare them. All are texts here: what is wrong with one is said by whoever reads it, in
 * the words of its API.
 */
export const LIST_QUERY = {
  $filter: option('Which documents: comparisons, and, or, not, in, functions; see the page on OData'),
  $orderby: option('Names of properties, each with asc or desc'),
  $top: option('How many'),
  $skiptoken: option('Where the page before ended; comes in its next link'),
} as const;
