// What loading the query builder adds to a program that does nothing.
import 'kysely';
