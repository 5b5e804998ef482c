/** Name and address of the demo's merchant: both together distinguish it from a real merchant. */
export const DEMO_MERCHANT = { name: 'Demo shop', email: 'demo@example.com' } as const;
