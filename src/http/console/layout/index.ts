/** Layout of statecharts; labels of their boxes and text measurement. */
export type { LayoutOf } from './layout-of.ts';
export { createLayoutOf } from './layout-of.ts';
