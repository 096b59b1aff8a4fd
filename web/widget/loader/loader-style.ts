/**
 * The style of the button and the chat's panel. It is a constructed style sheet, which no style-src of a website blocks, in a shadow root.
 * Everything is fixed: nothing of the website moves. The important rules win over a website's rules for its own elements. The icon is white or
 * black, whichever has the higher contrast on the practice's color: they are equal at a lightness of 49.5.
 */
export const style = `
:host{--color:#0f5f8c;all:initial!important;position:fixed!important;z-index:2147483647!important;right:16px!important;bottom:16px!important}
@media print{:host{display:none!important}}
button{all:unset;box-sizing:border-box;display:grid;place-items:center;border:1px solid transparent;border-radius:50%;cursor:pointer}
button:focus-visible{outline:2px solid #fff;box-shadow:0 0 0 5px #000}
button::before{content:'';width:24px;height:24px;background:currentColor;clip-path:path('M3 3h18v14h-10l-5 5v-5h-3z');forced-color-adjust:none}
.open{position:relative;width:56px;height:56px;color:lch(from var(--color) calc((49.5 - l)*infinity) 0 0);background:var(--color);box-shadow:0 2px 12px #0006}
.open::after{content:attr(data-unread);position:absolute;top:-4px;right:-4px;padding:0 7px;border-radius:11px;font:700 13px/22px system-ui,sans-serif;color:#fff;background:#c92a2a}
dialog[open]{all:unset;display:block;position:fixed;inset:auto 16px 88px auto;width:380px;height:min(600px,100dvh - 104px);border-radius:16px;overflow:hidden;color-scheme:light dark;color:light-dark(#14202b,#e8edf1);background:light-dark(#fff,#1a2026);box-shadow:0 8px 40px #0006}
@media(max-width:480px),(max-height:480px){dialog[open]{inset:0;width:100%;height:100%;border-radius:0}}
.close{position:absolute;z-index:1;top:6px;right:6px;width:44px;height:44px;color:#000;background:#fff}
.close::before{clip-path:path('M11 2h2v9h9v2h-9v9h-2v-9h-9v-2h9z');rotate:45deg}
p{margin:30% 24px;font:16px/1.5 system-ui,sans-serif;text-align:center}
iframe{position:absolute;inset:0;width:100%;height:100%;border:0}
`;
