/** The namespace of everything here. */
export const NAMESPACE = 'Vendor.EventGrid';

/** Published versions with the shapes that are served, newest first. */
export const API_VERSIONS: readonly string[] = [
  '2025-02-15',
  '2024-12-15-preview',
  '2024-06-01-preview',
  '2023-12-15-preview',
  '2023-06-01-preview',
  '2022-06-15',
  '2021-12-01',
  '2020-06-01',
  '2020-01-01-preview',
  '2019-06-01',
  '2019-01-01',
  '2018-01-01',
];

/** How clients poll operations of this provider: `…/locations/{location}/operationsStatus/{ID}`. */
export const POLLING = { segment: 'operationsStatus', isUpperCase: true } as const;
