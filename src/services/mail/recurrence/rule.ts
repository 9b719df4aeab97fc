import type { Rule } from './types.ts';

export declare const parseRule: (text: string) => Rule | undefined;
export declare const writeRule: (rule: Rule) => string;
