import { sql } from 'kysely';

/**
 * A payment's order id, else what its metadata has as `order`, like the README's example; null for
 * neither. SQL for a query of `transaction`.
 */
export const ORDER_NAME = sql<string | null>`coalesce(order_id, nullif(metadata ->> 'order', ''))`;
