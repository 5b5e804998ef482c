/** Arranges statecharts for drawing; what is written in their boxes and how wide that is. */
export type { LayoutOf } from './layout-of.ts';
export { createLayoutOf } from './layout-of.ts';
