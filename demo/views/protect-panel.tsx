import { useSignal } from "@preact/signals";
import { PERMISSIONS } from "../../src/index.ts";
import { t } from "../messages/index.ts";
import { protect } from "../state/options.ts";
import { togglePermission } from "../state/permissions.ts";
import { Choice, into } from "./choice.tsx";
import { Field } from "./field.tsx";

/** The password of protected files, and what they allow. */
export function ProtectPanel() {
  const { password, repeated, isShown, restriction, allowed } = protect;
  const type = isShown.value ? "text" : "password";
  return (
    <>
      <Field
        id="protect-password"
        label={t("protect.password")}
        hint={t("protect.lost")}
        value={password}
        input={{ type, autocomplete: "new-password" }}
      >
        <button
          type="button"
          class="button"
          aria-pressed={isShown.value}
          onClick={() => {
            isShown.value = !isShown.value;
          }}
        >
          {t(isShown.value ? "password.hide" : "password.show")}
        </button>
      </Field>
      {!isShown.value && (
        <Field
          id="protect-repeated"
          label={t("protect.repeat")}
          value={repeated}
          input={{ type: "password", autocomplete: "new-password" }}
        />
      )}
      <Choice
        name="restriction"
        label={t("protect.restriction")}
        value={restriction.value}
        options={[
          ["none", t("protect.none")],
          ["no-print", t("protect.noPrint")],
          ["no-changes", t("protect.noChanges")],
          ["custom", t("protect.custom")],
        ]}
        onChoose={into(restriction)}
      />
      {restriction.value === "custom" && (
        <fieldset class="checks">
          <legend class="visually-hidden">{t("protect.restriction")}</legend>
          {PERMISSIONS.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={allowed.value.includes(name)}
                onChange={({ currentTarget }) => {
                  allowed.value = togglePermission(allowed.value, name, currentTarget.checked);
                }}
              />
              {t(`permission.${name}`)}
            </label>
          ))}
        </fieldset>
      )}
      {restriction.value !== "none" && <OwnerPassword />}
    </>
  );
}

function OwnerPassword() {
  const isShown = useSignal(false);
  return (
    <>
      <p class="hint">{t("protect.notALock")}</p>
      <Field
        id="protect-owner"
        label={t("protect.owner")}
        hint={t("protect.ownerHint")}
        value={protect.ownerPassword}
        input={{ type: isShown.value ? "text" : "password", autocomplete: "new-password" }}
      >
        <button
          type="button"
          class="button"
          aria-pressed={isShown.value}
          aria-label={`${t(isShown.value ? "password.hide" : "password.show")}: ${t("protect.owner")}`}
          onClick={() => {
            isShown.value = !isShown.value;
          }}
        >
          {t(isShown.value ? "password.hide" : "password.show")}
        </button>
      </Field>
    </>
  );
}
