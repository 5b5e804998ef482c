/** Statecharts as a picture, as a list, or whichever fits. */
import './chart.css';

export type { ChartForm } from './chart-figure.tsx';
export { ChartFigure } from './chart-figure.tsx';
export { transitionsOf } from './folded-moment.ts';
export { ChartLegend } from './legend.tsx';
export type { ChartSelection } from './types.ts';
