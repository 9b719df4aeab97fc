/** Light and dark theme by the system's preference; three columns, or one at the width of a phone. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1b2230; --soft: #5b6577; --line: #d5dae3; --paper: #fff; --back: #eef1f6; --mark: #1f5fd0; --chosen: #dfe9fc; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9edf5; --soft: #a3adbf; --line: #3a4355; --paper: #1c222e; --back: #12161e; --mark: #7ca7ff; --chosen: #26344f; --bad: #ff9b93; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; }
body { margin: 0; display: grid; grid-template: auto minmax(0, 1fr) auto / 12rem minmax(16rem, 24rem) minmax(0, 1fr); grid-template-areas: 'top top top' 'folders list detail' 'status status status'; background: var(--back); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
a { color: inherit; text-decoration: none; }
button, .button, input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: 4px 10px; }
button, .button { cursor: pointer; }
button:hover, .button:hover, .row:hover, #folders a:hover { background: var(--chosen); }
button[aria-pressed='true'] { border-color: var(--mark); color: var(--mark); }
:focus-visible { outline: 2px solid var(--mark); outline-offset: -2px; }
code, pre, .source { font-family: ui-monospace, monospace; font-size: 12px; }
ul { list-style: none; margin: 0; padding: 0; }
#top { grid-area: top; display: flex; gap: 8px; align-items: center; padding: 8px 12px; border-bottom: 1px solid var(--line); background: var(--paper); }
#top nav { display: flex; gap: 4px; }
#top nav a { padding: 4px 8px; border-radius: 6px; font-weight: 600; }
#top nav a[aria-current], #folders a[aria-current], .row[aria-current] { background: var(--chosen); }
#search { flex: 1; min-width: 6rem; max-width: 32rem; }
#account { margin-left: auto; color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#folders { grid-area: folders; overflow: auto; padding: 8px 0; }
#folders a { display: flex; padding: 4px 12px; gap: 8px; }
#folders .name { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.count { color: var(--mark); font-weight: 600; }
#list, #agenda { grid-area: list; overflow: auto; background: var(--paper); border: solid var(--line); border-width: 0 1px; }
body[data-tab='mail'] #agenda, body[data-tab='calendar'] #list { display: none; }
#agenda h2 { font-size: 12px; margin: 0; padding: 8px 12px 4px; color: var(--soft); }
#fresh { position: sticky; top: 4px; display: block; margin: 4px auto; color: var(--mark); }
.row { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 8px; padding: 8px 12px; border-bottom: 1px solid var(--line); }
.row span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row time, .preview { color: var(--soft); font-size: 12px; }
.row .subject, .row .preview { grid-column: 1 / -1; }
.row.unread .who, .row.unread .subject { font-weight: 700; }
.row.unread { box-shadow: inset 3px 0 var(--mark); }
.row.cursor { outline: 2px solid var(--mark); outline-offset: -2px; }
.mark { margin-left: 6px; padding: 0 5px; border: 1px solid var(--line); border-radius: 6px; font-size: 12px; font-weight: 400; color: var(--soft); }
#detail { grid-area: detail; overflow: auto; display: flex; flex-direction: column; gap: 8px; padding: 12px; min-width: 0; }
#detail h1 { font-size: 20px; margin: 8px 0 4px; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: 6px; }
.back { display: none; }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 2px 12px; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.meeting { background: var(--paper); border: 1px solid var(--line); border-left: 4px solid var(--mark); border-radius: 6px; padding: 12px; }
.meeting p { margin: 0 0 8px; }
.answer { display: grid; gap: 8px; margin-top: 12px; max-width: 32rem; }
.attachments { display: flex; flex-wrap: wrap; gap: 6px; }
.content { flex: 1; display: flex; flex-direction: column; min-height: 16rem; }
.body { flex: 1; width: 100%; min-height: 16rem; border: 1px solid var(--line); border-radius: 6px; background: #fff; }
.source { flex: 1; margin: 0; overflow: auto; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
.note { color: var(--soft); margin: 0; padding: 8px 0; }
#empty, #more, #agenda .note { padding: 12px; }
.problem { color: var(--bad); border-left: 4px solid var(--bad); padding-left: 12px; }
.alone { grid-area: 1 / 1 / -1 / -1; padding: 24px; max-width: 40rem; }
#keys { position: fixed; right: 12px; top: 56px; padding: 12px; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; }
#status { grid-area: status; margin: 0; padding: 4px 12px; min-height: 32px; border-top: 1px solid var(--line); color: var(--soft); background: var(--paper); overflow-wrap: anywhere; }
body[data-alone] { grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); grid-template-areas: 'detail' 'status'; }
body[data-alone] :is(#top, #folders, #list, #agenda) { display: none; }
@media (max-width: 800px) {
  body:not([data-alone]) { grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr); grid-template-areas: 'top' 'folders' 'list' 'status'; }
  body[data-open]:not([data-alone]) { grid-template-areas: 'top' 'folders' 'detail' 'status'; }
  body:not([data-open]) #detail, body[data-open] :is(#list, #agenda, #folders) { display: none; }
  #top { flex-wrap: wrap; }
  #account { display: none; }
  #folders { display: flex; padding: 0; }
  #folders a { white-space: nowrap; padding: 8px 12px !important; }
  .back { display: inline-block; }
  body[data-alone] .back { display: none; }
}
`;
