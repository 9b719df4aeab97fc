import type { User } from '../../../kernel/auth/index.ts';

/** A user with the attribute `room` is a room: its mailbox answers invitations automatically, and it is listed among the places. */
export const isRoom = ({ attributes }: Pick<User, 'attributes'>): boolean => attributes.room === true;
