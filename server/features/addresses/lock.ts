/** The advisory lock of whoever fills the search: there is one at a time. */
export const importLock = 7_306_094;
