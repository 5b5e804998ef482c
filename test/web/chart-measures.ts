/** Runs in the page: what of the chart is smaller than 11 px. */
export const TOO_SMALL = `(() => {
  const scale = document.querySelector('.chart-canvas').getScreenCTM().a;
  const texts = [...document.querySelectorAll('.chart-canvas text')];
  return texts.filter((text) => parseFloat(getComputedStyle(text).fontSize) * scale < 11).map((text) => text.textContent);
})()`;
/** Runs in the page: the labels of states visible in the chart's frame. */
export const LABELS_IN_FRAME = `(() => {
  const frame = document.querySelector('.chart-canvas').getBoundingClientRect();
  return [...document.querySelectorAll('[data-node^="state:"]')].filter((node) => {
    const { left, top, right, bottom } = node.querySelector('.chart-title').getBoundingClientRect();
    return left >= frame.left && top >= frame.top && right <= frame.right && bottom <= frame.bottom;
  }).map((node) => node.dataset.node.slice('state:'.length));
})()`;
/** Runs in the page: whether the innermost state of the actor is visible. */
export const IS_LIVE_IN_FRAME = `(() => {
  const live = [...document.querySelectorAll('.chart-node.is-live')].at(-1);
  return ${LABELS_IN_FRAME}.includes(live.dataset.node.slice('state:'.length));
})()`;
