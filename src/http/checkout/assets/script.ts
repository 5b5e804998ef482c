/**
 * The script of the page, as text for the browser. The page is complete without it. It follows the
 * transaction, copies values on tap, runs the countdown, shows times in local time, prints
 * receipts, and reloads error pages that are to be retried. It contains no text of its own: all
 * text is on the page, in the page's language.
 *
 * It uses server-sent events (WHATWG HTML, 9.2) and polls `/state` while none arrive, because a
 * proxy that buffers the stream leaves it open and silent. The changing part arrives as HTML, so
 * there are no templates here. Focus, the selected code, open
 * details and what is typed are preserved.
 */
export const SCRIPT = String.raw`(() => {
'use strict';
const POLL_MS = 5000, SLOW_POLL_MS = 30000, RECONNECT_MS = 60000, COPIED_MS = 1600, TICK_MS = 250, TIMER_FROM_MS = 300000, SLEPT_MS = 2000, SILENT_MS = 3000;
const main = document.getElementById('payment');
const announcement = document.getElementById('announcement');
const connection = document.getElementById('connection');
const address = location.pathname.replace(/\/+$/, '');
const language = document.documentElement.lang;
const lang = '?lang=' + language;
let source = null, streaming = false, triedAt = 0, askedAt = 0, asking = false, endsAt = 0, warned = false, lead = clockLead();

// English as the server writes it. The zone is named, because a receipt is read elsewhere too.
const moments = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

document.documentElement.classList.add('js');

function announce(text) {
  announcement.textContent = text;
}

function dress() {
  for (const time of main.querySelectorAll('time')) {
    time.title = time.textContent;
    time.textContent = moments.format(new Date(time.dateTime));
  }
  const timer = document.getElementById('timer');
  endsAt = timer ? performance.now() + Number(timer.dataset.leftMs) : 0;
  warned = Boolean(timer) && !timer.hidden;
}

function tick() {
  const timer = document.getElementById('timer');
  if (!timer) return;
  const leftMs = Math.max(0, endsAt - performance.now());
  if (leftMs === 0 && isOutOfContact()) return closeWindow();
  timer.hidden = leftMs > TIMER_FROM_MS;
  if (timer.hidden) return;
  const seconds = Math.ceil(leftMs / 1000);
  const text = Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
  const element = document.getElementById('time-left');
  if (element.textContent !== text) element.textContent = text;
  if (!warned) announce(timer.dataset.warning);
  warned = true;
}

// The server sends the next screen at the end of the window.
function isOutOfContact() {
  return !connection.hidden || performance.now() - Math.max(endsAt, askedAt) > SILENT_MS;
}

// Stops asking for money. Without its version, the page takes whatever the server sends next.
function closeWindow() {
  const over = document.getElementById('window-over').content.cloneNode(true);
  const heading = over.querySelector('h1').textContent;
  const before = main.querySelector('.status');
  document.title = document.title.replace(before.querySelector('h1').textContent, () => heading);
  announce([heading + '.', ...[...over.querySelectorAll('p')].map((part) => part.textContent)].join(' '));
  const panel = document.getElementById('pay-panel');
  const hadFocus = panel.contains(document.activeElement);
  before.replaceWith(over);
  panel.remove();
  main.querySelector('.card').className = 'card checking';
  main.dataset.screen = 'checking';
  if (hadFocus) main.focus({ preventScroll: true });
  scrollTo({ top: 0 });
  requestAfresh();
}

function requestAfresh() {
  main.dataset.version = '';
  reconnect();
}

function reconnect() {
  if (main.dataset.pace === 'still') return;
  streaming = false;
  disconnect();
  ask();
}

function apply(update) {
  connection.hidden = true;
  if (!update.html || update.version === main.dataset.version) return;
  const focused = main.contains(document.activeElement) ? document.activeElement.id : '';
  const chosen = [...main.querySelectorAll('input:checked')].map((input) => input.id);
  const typed = [...main.querySelectorAll('input[type=email]')].map((input) => [input.id, input.value]);
  const unfolded = [...main.querySelectorAll('details[open]')].map((part) => part.id);
  const isOtherScreen = update.screen !== main.dataset.screen;
  main.innerHTML = update.html;
  main.dataset.version = update.version;
  main.dataset.screen = update.screen;
  main.dataset.pace = update.pace;
  document.title = update.title;
  for (const id of chosen) { const input = document.getElementById(id); if (input) input.checked = true; }
  for (const [id, value] of typed) { const input = document.getElementById(id); if (input) input.value = value; }
  for (const id of unfolded) { const part = document.getElementById(id); if (part) part.open = true; }
  if (focused) (document.getElementById(focused) || main).focus({ preventScroll: true });
  if (isOtherScreen) scrollTo({ top: 0 });
  if (update.announcement !== announcement.dataset.said) announce(update.announcement);
  announcement.dataset.said = update.announcement;
  dress();
  tick();
}

function connect() {
  if (source && source.readyState !== 2) return;
  triedAt = performance.now();
  streaming = false;
  source = new EventSource(address + '/events' + lang + '&have=' + encodeURIComponent(main.dataset.version));
  source.addEventListener('state', (event) => {
    streaming = true;
    apply(JSON.parse(event.data));
    if (main.dataset.pace !== 'live') disconnect();
  });
  source.addEventListener('error', () => { streaming = false; });
}

function disconnect() {
  if (source) source.close();
  source = null;
}

async function ask() {
  if (asking) return;
  asking = true;
  askedAt = performance.now();
  try {
    const answer = await fetch(address + '/state' + lang, { headers: { 'If-None-Match': '"' + main.dataset.version + '.' + language + '"' }, cache: 'no-store' });
    if (answer.status === 200) apply(await answer.json());
    else if (answer.status !== 304) throw new Error(String(answer.status));
    connection.hidden = true;
  } catch {
    connection.hidden = false;
  } finally {
    asking = false;
  }
}

// By how much the wall clock is ahead: performance.now() may stand still while a device sleeps.
function clockLead() {
  return Date.now() - performance.now();
}

// After a sleep the countdown is wrong, and the stream may be dead without an error.
function refreshAfterSleep() {
  const before = lead;
  lead = clockLead();
  const sleptMs = lead - before;
  if (Math.abs(sleptMs) <= SLEPT_MS || main.dataset.pace === 'still') return;
  // Until the server answers, the time asleep counts.
  endsAt -= Math.max(0, sleptMs);
  requestAfresh();
}

function follow() {
  const now = performance.now();
  const pace = main.dataset.pace;
  if (pace === 'still') return;
  if (pace === 'live') {
    if (!source || (source.readyState === 2 && now - triedAt > RECONNECT_MS)) connect();
    if (!streaming && now - Math.max(askedAt, triedAt) > POLL_MS) ask();
  } else if (!document.hidden && now - askedAt > SLOW_POLL_MS) ask();
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages over plain http have no clipboard; the old way still works there.
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'unseen';
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

main.addEventListener('click', async (event) => {
  if (event.target.id === 'print') print();
  const element = event.target.closest('[data-copy]');
  if (!element) return;
  // A user who selects a part of the text by hand wants that part.
  if (element.tagName !== 'BUTTON' && String(getSelection()) !== '') return;
  const button = document.getElementById(element.dataset.copyBy || element.id);
  await copy(element.dataset.copy);
  if (button.dataset.word === undefined) button.dataset.word = button.textContent;
  button.textContent = button.dataset.done;
  button.classList.add('done');
  announce(button.dataset.done);
  setTimeout(() => { button.textContent = button.dataset.word; button.classList.remove('done'); }, COPIED_MS);
});

// Browsers report an error for an invalid field that is folded away. The ones outside are reported.
main.addEventListener('invalid', (event) => {
  if (event.target.closest('details:not([open])')) event.preventDefault();
}, true);

// A stream may stay open without a network.
addEventListener('offline', reconnect);
addEventListener('online', reconnect);

const languages = document.getElementById('languages');
document.addEventListener('click', (event) => {
  if (languages && !languages.contains(event.target)) languages.open = false;
});

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && main.dataset.pace !== 'still' && !streaming) ask();
});

const { reloadSeconds } = document.body.dataset;
if (reloadSeconds) setTimeout(() => location.reload(), reloadSeconds * 1000);
dress();
tick();
askedAt = performance.now();
follow();
setInterval(() => { refreshAfterSleep(); tick(); follow(); }, TICK_MS);
})();
`;
