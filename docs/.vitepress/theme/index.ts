import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import FilePlayground from "./FilePlayground.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("FilePlayground", FilePlayground);
  },
} satisfies Theme;
