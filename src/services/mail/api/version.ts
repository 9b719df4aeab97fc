export type Version = 'v1.0' | 'beta';
