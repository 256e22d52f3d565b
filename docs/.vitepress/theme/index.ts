import { type Theme, useData } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h, onMounted, watch } from "vue";
import FilePlayground from "./FilePlayground.vue";
import HomeStage from "./HomeStage.vue";
import MeasureTable from "./MeasureTable.vue";
import { withRanking } from "./ranking.ts";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-before": () => h(HomeStage) }),
  enhanceApp({ app, siteData }) {
    app.component("FilePlayground", FilePlayground);
    app.component("MeasureTable", MeasureTable);
    siteData.value = withRanking(siteData.value);
  },
  setup() {
    const { frontmatter } = useData();
    onMounted(() => watch(frontmatter, markMain, { immediate: true, flush: "post" }));
  },
} satisfies Theme;

/** The theme's home page has no `<main>`, which screen readers jump to. */
function markMain({ layout }: { layout?: string }) {
  const content = document.getElementById("VPContent");
  if (layout === "home") content?.setAttribute("role", "main");
  else content?.removeAttribute("role");
}
