/** Readable colors for Swagger's page, light and dark: its own fail WCAG in more than a hundred places. */
export const style = `:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#fff, #14181c); }
.swagger-ui, .swagger-ui *:not(svg, svg *) {
  color: light-dark(#1f2328, #e6edf3) !important;
  text-shadow: none !important;
  opacity: 1 !important;
}
.swagger-ui :is(.scheme-container, .opblock, .opblock-tag, .opblock-section-header, .opblock-body, .model-box, .model-container,
section.models, .info, .dialog-ux .modal-ux, input, select, textarea, table, tr, td, th, .btn, .responses-inner, .parameters-container) {
  background: light-dark(#fff, #1b2026) !important;
  border-color: light-dark(#8c959f, #59636e) !important;
  box-shadow: none !important;
}
.swagger-ui .opblock .opblock-summary-method { color: #fff !important; background: #57606a !important; }
.swagger-ui .opblock-get .opblock-summary-method { background: #0b5cad !important; }
.swagger-ui .opblock-post .opblock-summary-method { background: #0f6b3a !important; }
.swagger-ui .opblock-put .opblock-summary-method { background: #8a4b00 !important; }
.swagger-ui .opblock-patch .opblock-summary-method { background: #0a6069 !important; }
.swagger-ui .opblock-delete .opblock-summary-method { background: #a3161f !important; }
.swagger-ui :is(pre, code, .microlight), .swagger-ui :is(pre, .microlight) * {
  color: light-dark(#1f2328, #e6edf3) !important;
  background: light-dark(#f6f8fa, #21262d) !important;
}
.swagger-ui pre.version, .swagger-ui .version-stamp pre { background: none !important; }
.swagger-ui .info .title small { background: light-dark(#e4e8ec, #29323a) !important; }
.swagger-ui :is(a, a *):not(.nostyle, .nostyle *) {
  color: light-dark(#0b5cad, #79b8ff) !important;
  text-decoration: underline;
}
.swagger-ui svg { fill: light-dark(#1f2328, #e6edf3); }
`;
